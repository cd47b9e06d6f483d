/** Judges names of callers and sources in which a part becomes a wildcard. */
import type { MaybeJson } from '../../../changes/values.ts';
import { list, member, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const CALLERS = listWords(
  'principal subject sub audience aud member issuer identity caller actor client source namespace repository repo ' +
    'branch ref project account user group role level grantee viewer reader editor recipient shared share sharing',
);
const LETS_IN = listWords(
  'allow allowed trust trusted permit permitted grant binding role policy access federation federated auth authorization ' +
    'attestor keyless member break glass bypass override admin owner approver door badge vault session console ' +
    'share shared sharing link invite invitation publish published visibility entitlement permission',
);
const REFUSES = listWords('deny denied block blocked exclude excluded except ignore ignored protected');
const MAX_ITEMS = 200;

export function judgeWildcard({ words, outer, type, before, after, parent }: Argument): ValueFinding | null {
  if (words.has('name') && isAllowed(parent) && text(after) === '*' && text(before) !== '*')
    return { ...FINDING, level: 'high', consequence: 'Everyone is allowed' };
  if (!hasAny(words, CALLERS) || hasAny(words, REFUSES) || hasAny(outer, REFUSES)) return null;
  if (![words, outer, type].some((names) => hasAny(names, LETS_IN))) return null;
  const [was, is] = [readNames(before), readNames(after)];
  if (is.some(isEveryone) && !was.some(isEveryone))
    return { ...FINDING, level: 'high', consequence: 'Everyone is included, maybe without a login' };
  const wider = is.filter((name) => !was.includes(name)).find((name) => was.some((known) => isWider(name, known)));
  if (wider === undefined) return null;
  return { ...FINDING, level: 'high', consequence: 'A part of the name may be anything, so others match too' };
}

function isAllowed(rule: MaybeJson): boolean {
  return ['action', 'Action', 'effect', 'access'].some((name) =>
    /^(?:allow|accept|permit)$/i.test(text(member(rule, name))),
  );
}

const FINDING = { rule: 'R-VAL-WILDCARD', direction: 'weakening', beyond_rules: true } as const;

export function isEveryone(name: string): boolean {
  return EVERYONE.test(name) || ALL_OF_US.test(name);
}

/** Names that organizations give to groups of everybody. */
const ALL_OF_US =
  /^(?:[a-z]{1,20}:)?(?:(?:all|any|every)[-_ .]?(?:staff|employees?|members?|people|hands|company|personnel|workers|badges?|devices|tenants|merchants|customers|accounts|identities|principals|engineers|developers|contractors)|(?:whole|entire)[-_ ]?(?:company|org|organization|staff)|everybody|company[-_ ]?wide|org[-_ ]?wide|member)$/i;

/** Names that services use for all users, or for users without a login. */
const EVERYONE =
  /^(?:[a-z]{1,20}:)?(?:\*|everyone|everybody|anyone|anybody|(?:anyone|everyone|public)[_ -](?:with|on|by|has)[a-z_ -]{0,30}|public[_ -]?link|world|internet|all|public|guest|guests|anonymous|u_anon|unauthenticated|all[_ -]?users|all[_ -]?authenticated(?:[_ -]?users)?|account users|any[_ -]?(?:identity|user|user[_ -]?account|service[_ -]?account|caller|client|principal)|authenticated[_ -]?users|system:(?:un)?authenticated|domain users|all[_ -]?(?:employees|staff|members|people|customers|accounts|tenants|principals|identities))$/i;

function readNames(value: MaybeJson): string[] {
  return list(value)
    .map(text)
    .filter((name) => name.length > 0 && name.length <= 500)
    .slice(0, MAX_ITEMS);
}

/** The same text except for one part that becomes, or ends in, a star: `ns/pay/sa/api` and `ns/…/sa/api with a star`. */
function isWider(wide: string, narrow: string): boolean {
  const star = wide.indexOf('*');
  if (star < 0) return false;
  const [head, tail] = [wide.slice(0, star), wide.slice(star + 1)];
  // `org/*` is wider than `org/team/*`.
  if (narrow.includes('*')) return tail === '' && narrow.indexOf('*') > star && narrow.startsWith(head);
  return (
    !tail.includes('*') && narrow.length > head.length + tail.length && narrow.startsWith(head) && narrow.endsWith(tail)
  );
}
