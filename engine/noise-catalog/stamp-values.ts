/** Values that a run writes: a later time, a higher number, another commit. */
import type { JsonValue } from '../model/result.ts';

const TIME =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[Tt _-]?(\d\d)[:-]?(\d\d)(?:[:-]?(\d\d)(?:\.\d{1,9})?)?(Z|z| UTC|([+-])(\d\d):?(\d\d))?)?$/;
const SECONDS = /^[12]\d{9}$/;
const MILLISECONDS = /^[12]\d{12}$/;
/** `4411`, `#4411`, `build-4411`, `20260205.3` */
const NUMBERED = /^(#|r|(?:build|run|job|pipeline)[-_#]?)?(\d{1,15})(?:\.(\d{1,9}))?$/;
const HEX = /^(?:(?:git|sha|commit)[-:])?([0-9a-f]{7,64})$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The instant that a text names, in milliseconds; null if it is not a date or time. Times without a zone are UTC. */
export function readTime(text: JsonValue): number | null {
  if (typeof text !== 'string') return null;
  if (SECONDS.test(text)) return Number(text) * 1000;
  if (MILLISECONDS.test(text)) return Number(text);
  const found = TIME.exec(text);
  if (found === null) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as Sextuple;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59) return null;
  const [sign, hours, minutes] = found.slice(8, 11);
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  return Date.UTC(year, month - 1, day, hour, minute - offset, second);
}

type Sextuple = [number, number, number, number, number, number];

/** Both values are times, and the second one is later. */
export function isLaterTime(before: JsonValue, after: JsonValue): boolean {
  const [from, to] = [readTime(before), readTime(after)];
  return from !== null && to !== null && to > from;
}

/** Both values are numbers of the same form, and the second one is higher: a run that is repeated gets a new number. */
export function isHigherNumber(before: JsonValue, after: JsonValue): boolean {
  const [from, to] = [NUMBERED.exec(writeNumber(before)), NUMBERED.exec(writeNumber(after))];
  if (from === null || to === null || from[1] !== to[1]) return false;
  const [major, minor] = [Number(to[2]) - Number(from[2]), Number(to[3] ?? -1) - Number(from[3] ?? -1)];
  return major > 0 || (major === 0 && minor > 0);
}

function writeNumber(value: JsonValue): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}

/** Both values are hashes of commits, of the same length, or both are UUIDs. */
export function isOtherHash(before: JsonValue, after: JsonValue): boolean {
  if (typeof before !== 'string' || typeof after !== 'string' || before.length !== after.length) return false;
  return (isHash(before) && isHash(after)) || (UUID.test(before) && UUID.test(after));
}

/** A hash without a digit is likelier to be a word. */
function isHash(text: string): boolean {
  return HEX.test(text) && /\d/.test(text) && !/^\d+$/.test(text);
}
