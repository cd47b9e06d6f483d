import { z } from 'zod';
import { type Action, type Category, RISK_LEVELS } from '../model/result.ts';
import { OPERATORS } from './types.ts';

const ACTIONS = [
  'no-op',
  'create',
  'read',
  'update',
  'delete',
  'replace',
  'forget',
  'import',
  'move',
  'unknown',
] as const satisfies Action[];
const CATEGORIES = ['stateful', 'iam', 'network', 'security', 'encryption', 'other'] as const satisfies Category[];
const PROVIDERS = ['aws', 'gcp', 'azure'] as const;
const SLUG = /^[a-z0-9][a-z0-9-]{0,63}$/;
const NOT_BLANK = /\S/;
const ONE_LINE = /^\P{Cc}*$/u;

const NO_DATE = 'must be a time such as 2026-02-01T00:00:00Z, or null to never expire';

const MAX_GLOB = 256;
const MAX_GLOBS = 50;
const MAX_PREDICATES = 20;
const MAX_VALUES = 100;
const MAX_POLICY_RULES = 100;

/** An object without additional fields; the error lists the known fields. */
function closed<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? `is not a known field; known fields: ${known}` : undefined),
  });
}

function sentence(max: number) {
  return z
    .string()
    .max(max)
    .regex(NOT_BLANK, { error: 'is empty; enter the text to show to people' })
    .regex(ONE_LINE, { error: 'contains control characters; write it on one line' });
}

const glob = z.string().min(1).max(MAX_GLOB);
const globs = z.array(glob).min(1).max(MAX_GLOBS);

const matchShape = {
  resource_types: globs.optional(),
  addresses: globs.optional(),
  modules: z.array(z.string().max(MAX_GLOB)).min(1).max(MAX_GLOBS).optional(),
  providers: z.array(z.enum(PROVIDERS)).min(1).max(MAX_GLOBS).optional(),
  actions: z.array(z.enum(ACTIONS)).min(1).max(MAX_GLOBS).optional(),
  repos: globs.optional(),
  branches: globs.optional(),
  categories: z.array(z.enum(CATEGORIES)).min(1).max(MAX_GLOBS).optional(),
};

const predicate = closed({
  path: glob,
  op: z.enum(OPERATORS),
  value: z.unknown().optional(),
  values: z.array(z.unknown()).min(1).max(MAX_VALUES).optional(),
  on: z.enum(['after', 'before', 'either']).optional(),
  negate: z.boolean().optional(),
});

const conditionShape = {
  match: closed({ ...matchShape, not: closed(matchShape).optional() }),
  when: z.array(predicate).max(MAX_PREDICATES).optional(),
  when_mode: z.enum(['all', 'any']).optional(),
};

export const noiseConfig = closed({
  version: z.literal(1),
  ...conditionShape,
  attributes: globs.optional(),
  attributes_mode: z.enum(['only', 'any']).optional(),
  severity: z.enum(['harmless', 'warning', 'caution']),
});

export const riskConfig = closed({
  version: z.literal(1),
  ...conditionShape,
  effect: z.enum(['raise', 'cap']),
  level: z.enum(RISK_LEVELS),
  message: sentence(300),
});

const policyRule = closed({
  id: z.string().regex(SLUG, { error: 'must be 1 to 64 lowercase letters, digits and dashes, such as freeze-dns' }),
  name: sentence(100),
  enabled: z.boolean(),
  ...conditionShape,
  effect: z.enum(['raise', 'cap', 'set', 'block']),
  level: z.enum(RISK_LEVELS).optional(),
  reason: sentence(500),
  expires_at: z.iso.datetime({ offset: true, error: NO_DATE }).nullable().optional(),
});

export const policyRules = z.array(policyRule).max(MAX_POLICY_RULES);
