import type { MaybeJson } from '../../../changes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const NAMES = listWords('version runtime release');
/** Versions of protocols, documents and objects, which are not software. */
const OTHER = listWords(
  'tls ssl protocol schema api format policy payload template http ip secret id object launch config',
);
const VERSION =
  /^([A-Za-z_-]{0,20}?)v?(\d{1,6})(?:[._](\d{1,6}))?(?:[._](\d{1,9}))?((?:[.+_-][A-Za-z0-9.+_-]{1,40})?)$/;

/** Judges downgrades of software; everything else about versions is left to the effect of the argument. */
export function judgeVersion({ words, type, before, after, effect, traits }: Argument): ValueFinding | null {
  if (effect.effect !== 'version' && !hasAny(words, NAMES)) return null;
  if (hasAny(words, OTHER)) return null;
  const [from, to] = [readVersion(before), readVersion(after)];
  if (from === null || to === null || from.product !== to.product) return null;
  const at = from.numbers.findIndex((number, index) => number !== to.numbers[index]);
  if (at < 0) return null;
  if (to.numbers[at]! > from.numbers[at]!)
    return hasAny(type, PACKAGES) && leaps(from.numbers, to.numbers) ? LEAP : null;
  const holds = traits.kind === 'data' && at === 0;
  return {
    rule: 'R-VAL-DOWNGRADE',
    level: holds ? 'high' : at === 2 ? 'low' : 'medium',
    direction: at === 2 ? 'neutral' : 'weakening',
    consequence: 'An older version is used: it may lack security fixes, and data of the newer one may not open',
  };
}

/** What many objects come from at once, such as a chart. Managed add-ons follow the version of their cluster. */
const PACKAGES = listWords('release chart operator package plugin application');
/** From this number of minor versions on, the notes of several releases must be read. */
const MANY_MINORS = 3;

const LEAP: ValueFinding = {
  rule: 'R-VAL-LEAP',
  level: 'medium',
  direction: 'neutral',
  consequence: 'The new version is several releases ahead: read what they changed and removed',
};

/** Whether an update crosses a major version, or several minor ones. */
function leaps(
  [from_major = 0, from_minor = 0]: readonly number[],
  [major = 0, minor = 0]: readonly number[],
): boolean {
  if (major !== from_major) return from_major > 0;
  return minor - from_minor >= MANY_MINORS;
}

/** A plain whole number may be the version of anything, so two numbers are needed or a product, as in `nodejs20.x`. */
function readVersion(value: MaybeJson): { product: string; numbers: number[] } | null {
  const match = typeof value === 'string' && value.length <= 60 ? VERSION.exec(value) : null;
  if (match === null) return null;
  const [, product = '', major, minor, patch] = match;
  if (minor === undefined && product.replace(/[-_]/g, '') === '') return null;
  return { product, numbers: [major, minor, patch].map((part) => Number(part ?? 0)) };
}
