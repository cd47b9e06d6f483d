import type { PromptText } from '../types.ts';
import { CLASSIFY_1 } from './classify-1.ts';
import { DRIFT_1 } from './drift-1.ts';
import { FIX_1 } from './fix-1.ts';
import { NARRATIVE_1 } from './narrative-1.ts';
import { NARRATIVE_2 } from './narrative-2.ts';
import { NARRATIVE_3 } from './narrative-3.ts';

/** All released versions, so that a trace can be replayed with its prompt. */
const PROMPTS: ReadonlyMap<string, PromptText> = new Map(
  [NARRATIVE_1, NARRATIVE_2, NARRATIVE_3, FIX_1, CLASSIFY_1, DRIFT_1].map((text) => [text.version, text]),
);

export const NARRATIVE_VERSION = NARRATIVE_3.version;
export const CLASSIFY_VERSION = CLASSIFY_1.version;
export const FIX_VERSION = FIX_1.version;
export const DRIFT_VERSION = DRIFT_1.version;

/** @throws RangeError for an unknown version */
export function getPrompt(version: string): PromptText {
  const text = PROMPTS.get(version);
  if (text === undefined)
    throw new RangeError(`unknown prompt version "${version}"; known versions: ${[...PROMPTS.keys()].join(', ')}`);
  return text;
}
