/** Choices that services offer, which none of them has twice in another case or with other marks between the words. */
import { asciiLower } from './values.ts';

/** Arguments whose value is one of a few choices. */
const CHOICES =
  /(?:^|_)(?:type|mode|tier|edition|state|status|severity|effect|action|protocol|direction|visibility|strategy|behavior|operator|comparison|method|frequency|sku|algorithm|size|operation_name|weekday|day_of_week|track|permission|log_level|visibility_level)$/;
/** Types and states that users name. */
const NAMED_BY_USERS =
  /(?:^|_)(?:event|detail|object|entity|message|record|data|field|column|document|content|media|mime|node|schema|custom|resource|relation|workflow|issue)_(?:type|state|status|action)$/;
const CHOICE = /^[A-Za-z][A-Za-z0-9]*(?:[ _-][A-Za-z0-9]+)*$/;
/** `Microsoft.Authorization/roleAssignments/write`. */
const AZURE_OPERATION = /^microsoft\.[a-z]+(?:\/[a-z]+)+$/i;
const MAX_CHARS = 60;
/** Units and sizes of one or two letters differ by case: `m` and `M`. */
const MIN_CHARS = 3;
const SWITCH = /^(?:true|false)$/i;

/** Whether an argument of this name takes one of a few choices. */
export function namesChoice(name: string): boolean {
  return CHOICES.test(name) && !NAMED_BY_USERS.test(name);
}

/** Whether two texts are the same choice: `X-Small` and `XSMALL`, `read_only` and `READ-ONLY`. */
export function isSameChoice(name: string, before: string, after: string): boolean {
  const [from, to] = [asciiLower(before), asciiLower(after)];
  if (from === to) return isChoice(before) || AZURE_OPERATION.test(before);
  if (!isChoice(before) || !isChoice(after)) return false;
  if (from.replace(/[ _-]/g, '_') === to.replace(/[ _-]/g, '_')) return true;
  // Words that are joined in the same case could be another choice, except of a size.
  const is_respelled = joinWords(before) !== joinWords(after) || name.endsWith('size');
  return is_respelled && joinWords(from) === joinWords(to);
}

/** Whether two texts are the same switch: `TRUE` and `true`. */
export function isSameSwitch(before: string, after: string): boolean {
  return SWITCH.test(before) && asciiLower(before) === asciiLower(after);
}

const SETTINGS: ReadonlyMap<string, boolean> = new Map([
  ...['on', '1', 'true', 'yes'].map((text) => [text, true] as const),
  ...['off', '0', 'false', 'no'].map((text) => [text, false] as const),
]);
/** Numbers alone could be counts. */
const SETTING_WORD = /^[a-z]+$/i;

/** Whether two texts switch a setting of a database in the same way: `on` and `1`. */
export function isSameSetting(before: string, after: string): boolean {
  if (!SETTING_WORD.test(before) && !SETTING_WORD.test(after)) return false;
  const state = SETTINGS.get(asciiLower(before));
  return state !== undefined && state === SETTINGS.get(asciiLower(after));
}

function isChoice(text: string): boolean {
  return text.length >= MIN_CHARS && text.length <= MAX_CHARS && CHOICE.test(text);
}

function joinWords(text: string): string {
  return text.replace(/[ _-]/g, '');
}
