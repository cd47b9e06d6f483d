/** Judges to whom mail is sent on: a mailbox of another domain gets everything that arrives, unnoticed. */
import type { MaybeJson } from '../../../changes/values.ts';
import { isObject } from '../../../lib/is-object.ts';
import { list, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const FORWARDS = listWords('forward forwarding forwarded redirect bcc blind copy relay alias journal');
const MAIL = listWords('mail email mailbox smtp transport exchange journal inbox');
const ADDRESS = /^[^\s@]{1,100}@((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})$/i;
const MAX_VALUES = 200;

export function judgeForwarding(argument: Argument): ValueFinding | null {
  const { words, outer, type, before, after, holders } = argument;
  const sends_on =
    [words, outer].some((names) => hasAny(names, FORWARDS)) || (hasAny(type, MAIL) && type.has('routing'));
  if (!sends_on) return null;
  const is = readDomains(after);
  if (is.length === 0) return null;
  const was = readDomains(before);
  const own = new Set([...was, ...holders.flatMap((holder) => listOwn(holder, argument))]);
  if (own.size === 0 || is.every((domain) => own.has(domain))) return null;
  return FINDING;
}

const FINDING: ValueFinding = {
  rule: 'R-VAL-FORWARD',
  level: 'high',
  direction: 'weakening',
  consequence: 'Mail is sent on to a mailbox of another domain',
  beyond_rules: true,
};

function readDomains(value: MaybeJson): string[] {
  return list(value)
    .slice(0, MAX_VALUES)
    .flatMap((item) => ADDRESS.exec(text(item))?.[1]?.toLowerCase() ?? []);
}

/** Domains of the other arguments of an object: of the mailbox itself, or of its senders. */
function listOwn(holder: MaybeJson, { names, before, after }: Argument): string[] {
  if (!isObject(holder)) return [];
  const others = Object.entries(holder).filter(
    ([name, value]) => name !== names.at(-1) && value !== after && value !== before,
  );
  return others.slice(0, MAX_VALUES).flatMap(([, value]) => readDomains(value));
}
