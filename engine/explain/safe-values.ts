import type { AttributeDiff, JsonValue } from '../model/result.ts';
import { isSecretAttribute } from '../redact/known-attributes.ts';
import { MASK } from '../redact/scrubber.ts';
import { holdsSecret, isSecretName } from '../redact/secrets.ts';
import { isSettingValue } from './setting-values.ts';

const MAX_LENGTH = 60;
const MAX_ITEMS = 8;
const MAX_NUMBER = 1e12;

/**
 * Words in attribute names that indicate free text, personal data or credentials; their values are never sent.
 */
const FREE = new Set(
  `annotation annotations answer arg args argument arguments auth body cert certificate code command comment comments
  config configuration content contents cookie custom data default defaults definition description descriptions document
  dsn email env environment environments hash header headers input inputs json key keys label labels license login map
  message metadata nonce note notes output outputs pair pairs param parameter parameters params pass passcode passphrase
  payload pem phone pin plaintext property properties salt sas script seed setting settings signature string sub subject
  tag tags template text title triggers uri url user username users value values variable variables vars yaml`.split(
    /\s+/,
  ),
);

/** Last words of names of amounts, such as `message_retention_seconds`: a number there is no text and no secret. */
const UNITS = new Set(
  'seconds secs minutes mins hours days weeks months years ms millis bytes kb mb gb tb gib mib percent percentage count'.split(
    ' ',
  ),
);

/** Formats that no password, key or sentence has. */
const FORMS: readonly RegExp[] = [
  // sizes, ports and durations
  /^\d{1,5}(?:ms|s|m|h|d|Mi|Gi|Ti|MB|GB|TB|%)?$/,
  // versions, IPv4 addresses and ranges
  /^v?\d{1,3}(?:\.\d{1,5}){1,3}$/,
  /^(?:\d{1,3}\.){3}\d{1,3}\/\d{1,2}$/,
  // IPv6 ranges
  /^(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}\/\d{1,3}$/i,
  // AWS machine classes and regions
  /^(?:db\.|cache\.)?[a-z]{1,3}\d{1,2}[a-z]{0,4}\.(?:nano|micro|small|medium|large|\d{0,2}xlarge|metal)$/,
  /^(?:us|eu|ap|sa|ca|me|af|il|mx)-(?:gov-)?(?:north|south|east|west|central){1,2}-?\d{1,2}[a-z]?$/,
];

/** Both sides of a leaf, if they may be sent. */
export interface ShownSides {
  before: JsonValue;
  after: JsonValue;
}

/**
 * Both sides of a difference, if both have a harmless format: numbers, booleans, listed setting values, versions,
 * addresses, ranges. Free text is never sent, because it may be a secret or an instruction.
 */
export function pickSafeSides(diff: AttributeDiff, type: string): ShownSides | null {
  if (diff.before_sensitive || diff.after_sensitive || diff.scrubbed === true || diff.truncated) return null;
  const { path_segments: path, before } = diff;
  const after = diff.after_unknown ? null : diff.after;
  if (before === null && after === null) return null;
  if (isSecretName(path) || isSecretAttribute(type, path)) return null;
  const free = isFree(path) && !(isAmount(before) && isAmount(after) && endsWithUnit(path));
  return isHarmless(before, free) && isHarmless(after, free) ? { before, after } : null;
}

function isFree(path: readonly (string | number)[]): boolean {
  for (const segment of path) {
    if (typeof segment !== 'string') continue;
    if (!/^[a-z][a-z0-9_]{0,60}$/.test(segment)) return true;
    if (segment.split('_').some((word) => FREE.has(word))) return true;
  }
  return path.length === 0;
}

function isAmount(value: JsonValue): boolean {
  return value === null || typeof value === 'number';
}

function endsWithUnit(path: readonly (string | number)[]): boolean {
  const name = path.at(-1);
  return typeof name === 'string' && UNITS.has(name.slice(name.lastIndexOf('_') + 1));
}

function isHarmless(value: JsonValue, free: boolean): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (free) return false;
  if (typeof value === 'number') return Math.abs(value) < MAX_NUMBER;
  if (typeof value === 'string') return isHarmlessText(value);
  if (!Array.isArray(value)) return false;
  return value.length <= MAX_ITEMS && value.every((item) => typeof item !== 'object' && isHarmless(item, false));
}

function isHarmlessText(text: string): boolean {
  if (text === '') return true;
  if (text.length > MAX_LENGTH || text.includes(MASK) || holdsSecret(text)) return false;
  return isSettingValue(text) || FORMS.some((form) => form.test(text));
}
