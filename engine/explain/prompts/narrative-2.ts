import { CONCERN_CATEGORIES } from '../../model/result.ts';
import type { PromptText } from '../types.ts';
import { NARRATIVE_1 } from './narrative-1.ts';

const text = (description: string) => ({ type: 'string', description });
const SCALARS = ['string', 'number', 'boolean', 'null'].map((type) => ({ type }));
const value = { anyOf: [...SCALARS, { type: 'array', items: { anyOf: SCALARS } }] };

const CONCERNS = `
- concerns: dangers that no rule of the document names and that deserve a level above that of the change, up to high, by any number of steps. Each needs evidence: the address of a change and one entry of its values, with path, before and after copied exactly. An unknown value, or a path without an entry in values, is no evidence. Categories: exposure (more can reach it), data_loss (now or later), outage, silenced_alarm, foreign_destination (data or traffic goes to somebody else), identity (who may act as whom). One sentence says what would happen. At most ten, usually none.`;

const HOW_TO_WRITE = '\n\nHow to write:';

const { json } = NARRATIVE_1.schema;
const concern = {
  address: text('Exactly as in the document.'),
  path: text('Exactly as in values.'),
  category: { type: 'string', enum: [...CONCERN_CATEGORIES] },
  level: { type: 'string', enum: ['low', 'medium', 'high'] },
  sentence: text('One sentence.'),
  before: value,
  after: value,
};

/** Asks for concerns too: see ADR 0033. */
export const NARRATIVE_2: PromptText = {
  version: 'narrative-2',
  system: NARRATIVE_1.system.replace(HOW_TO_WRITE, CONCERNS + HOW_TO_WRITE),
  schema: {
    ...NARRATIVE_1.schema,
    json: {
      ...json,
      properties: {
        ...(json['properties'] as object),
        concerns: {
          type: 'array',
          description: 'Dangers with evidence that no rule names.',
          items: {
            type: 'object',
            properties: concern,
            required: Object.keys(concern),
            additionalProperties: false,
          },
        },
      },
      required: [...(json['required'] as string[]), 'concerns'],
    },
  },
};
