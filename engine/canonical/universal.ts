/** Forms of values that mean the same in every attribute, because both sides say their units or their notation. */
import { parseCidr } from '../lib/cidr.ts';
import { awsCronForm, cronForm } from './cron.ts';
import { addressForm } from './names.ts';
import { quantityForm } from './quantities.ts';
import { durationForm, rateForm, timeForm } from './times.ts';

const DURATION = /^(?:\d{1,9}(?:ms|s|m|h|d|w))+$/;
const PART = /(\d{1,9})(ms|s|m|h|d|w)/g;
const WORDS = /^(\d{1,9}) (second|minute|hour|day|week)s?$/i;
const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Whether two texts are the same duration in different units or notations: `72h`, `3d`, `PT72H` and `3 days`. */
export function isSameDuration(before: string, after: string): boolean {
  const [from, to] = [readMilliseconds(before), readMilliseconds(after)];
  return from !== null && from === to;
}

/** Whether two values are the same duration where a number without a unit counts seconds. */
export function isSameSeconds(before: string, after: string): boolean {
  const [from, to] = [readMilliseconds(addUnit(before)), readMilliseconds(addUnit(after))];
  return from !== null && from === to;
}

function addUnit(text: string): string {
  return /^\d{1,9}$/.test(text) ? `${text}s` : text;
}

function readMilliseconds(text: string): number | null {
  if (text.startsWith('P')) return readIso(text);
  const [, amount, word] = WORDS.exec(text) ?? [];
  if (word !== undefined) return Number(amount) * UNIT_MS[word[0]!.toLowerCase()]!;
  if (!DURATION.test(text)) return null;
  let total = 0;
  for (const [, count, unit] of text.matchAll(PART)) total += Number(count) * UNIT_MS[unit!]!;
  return Number.isSafeInteger(total) ? total : null;
}

function readIso(text: string): number | null {
  const nanoseconds = durationForm(text);
  return nanoseconds === null ? null : Number(BigInt(nanoseconds) / 1_000_000n);
}

/** Whether two texts are the same IPv6 address or block in long and short notation. */
export function isSameAddress(before: string, after: string): boolean {
  if (!before.includes(':') || !after.includes(':')) return false;
  const form = addressForm(before);
  return form !== null && form === addressForm(after);
}

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
/** As Go prints times. */
const PRINTED = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) \+0000 UTC$/;

/** Whether two texts are the same moment, in other time zones or notations. */
export function isSameInstant(before: string, after: string): boolean {
  if (!INSTANT.test(before) || !INSTANT.test(after)) return false;
  const form = timeForm(before.replace(PRINTED, '$1T$2Z'));
  return form !== null && form === timeForm(after.replace(PRINTED, '$1T$2Z'));
}

/** Whether two cron expressions run at the same times, or two rates of AWS are equal. */
export function isSameCron(before: string, after: string): boolean {
  if (before.endsWith(')')) return SCHEDULE_FORMS.some((write) => hasSameForm(write, before, after));
  if (!/[*@]/.test(before) && !/[*@]/.test(after)) return false;
  return hasSameForm(cronForm, before, after);
}

const SCHEDULE_FORMS = [awsCronForm, rateForm];

function hasSameForm(write: (text: string) => string | null, before: string, after: string): boolean {
  const form = write(before);
  return form !== null && form === write(after);
}

const BINARY = /^(\d{1,12}(?:\.\d{1,6})?) ?([KMGT]i)B?$/;

/** Whether two sizes in binary units are the same: `1Gi`, `1024Mi` and `1 GiB`. */
export function isSameSize(before: string, after: string): boolean {
  return hasSameForm(sizeForm, before, after);
}

/** Normalizes a size in binary units; null for any other text. */
export function sizeForm(text: string): string | null {
  return BINARY.test(text) ? quantityForm(text.replace(BINARY, '$1$2')) : null;
}

const MAX_BLOCKS = 2_000;

/** Whether two texts list the same CIDR blocks: no reader of such a list depends on their order. */
export function isSameBlockList(before: string, after: string): boolean {
  if (!before.includes('/') || !before.includes(',')) return false;
  const form = blockListForm(before);
  return form !== null && form === blockListForm(after);
}

function blockListForm(text: string): string | null {
  const blocks = text.split(',', MAX_BLOCKS + 1).map((block) => block.trim());
  const is_list = blocks.length <= MAX_BLOCKS && blocks.every((block) => parseCidr(block) !== undefined);
  return is_list && blocks.every((block) => block.includes('/')) ? [...new Set(blocks)].sort().join(',') : null;
}
