import { InvalidArgumentError } from 'commander';

export const DRIFT_TYPES = ['new', 'changed', 'missing'] as const;
const LEVELS = ['low', 'medium', 'high', 'critical'] as const;

/** What makes `dpa drift` fail: a type of drift, a level, or a part that was not checked. */
export type FailOn = (typeof DRIFT_TYPES | typeof LEVELS)[number] | 'incomplete';

const FAIL_ON: readonly string[] = [...DRIFT_TYPES, ...LEVELS, 'incomplete'];

/** Reads `new,missing`. */
export function parseFailOn(text: string, before: FailOn[]): FailOn[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !FAIL_ON.includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`"${unknown}" is not one of ${FAIL_ON.join(', ')}; separate several with commas.`);
  return [...before, ...(names as FailOn[])];
}
