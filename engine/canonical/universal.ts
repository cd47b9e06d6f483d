/** Forms of values that mean the same in every attribute, because both sides say their units or their notation. */
import { parseCidr } from '../lib/cidr.ts';
import { coveredForm } from './address-ranges.ts';
import { calendarDurationForm } from './calendar-durations.ts';
import { awsCronForm, cronForm, zonedCronForm } from './cron.ts';
import { addressForm } from './names.ts';
import { quantityForm } from './quantities.ts';
import { rateForm, timeForm } from './times.ts';

/** Whether two texts are the same duration in different units or notations: `72h`, `3d`, `PT72H` and `3 days`. */
export function isSameDuration(before: string, after: string): boolean {
  return hasSameForm(calendarDurationForm, before, after);
}

/** Whether two values are the same duration where a number without a unit counts seconds. */
export function isSameSeconds(before: string, after: string): boolean {
  return isSameDuration(addUnit(before), addUnit(after));
}

function addUnit(text: string): string {
  return /^\d{1,9}$/.test(text) ? `${text}s` : text;
}

/** Whether two texts are the same address or block: IPv6 in long and short notation, `192.0.2.1/32` and `192.0.2.1`. */
export function isSameAddress(before: string, after: string): boolean {
  if (before.includes('/') !== after.includes('/')) return hasSameForm((text) => coveredForm([text]), before, after);
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
  if (hasSameForm(zonedCronForm, before, after)) return true;
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

const DECIMAL = /^(\d{1,12}) ?([KMGT]B)$/i;

/** Normalizes a size in binary units, or the space before a decimal unit; null for any other text. */
export function sizeForm(text: string): string | null {
  if (BINARY.test(text)) return quantityForm(text.replace(BINARY, '$1$2'));
  return DECIMAL.test(text) ? text.replace(DECIMAL, '$1 $2').toUpperCase() : null;
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
