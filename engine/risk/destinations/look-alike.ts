/** Names that are easily taken for another one: a letter swapped, added or left out, or another ending of the domain. */

import { splitTenant } from './aliases.ts';

/** Shorter names resemble each other by chance. */
const MIN_CHARS = 5;
/** Letters that look the same in many fonts. */
const LOOKS: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[0]/g, 'o'],
  [/[1li]/g, 'l'],
  [/[5]/g, 's'],
];
/** Words of many domains. Two owners that share one of them need not have anything to do with each other. */
const COMMON = new Set(
  'cloud platform service services systems internal online digital global group example payments payment backup events metrics collector logging monitoring api app web data prod production staging analytics partner partners'.split(
    ' ',
  ),
);

/** Whether an owner is easily taken for a known one. Both are domains, or tenants of the same service. */
export function looksLike(owner: string, known: string): boolean {
  if (owner === known) return false;
  const [host, tenant] = splitTenant(owner);
  const [known_host, known_tenant] = splitTenant(known);
  if (tenant !== undefined || known_tenant !== undefined)
    return host === known_host && tenant !== undefined && known_tenant !== undefined && isNear(tenant, known_tenant);
  return isNearDomain(host, known_host);
}

/** Whether two domains differ only in their ending, as those of one company often do. */
export function hasOtherEnding(owner: string, known: string): boolean {
  return splitDomain(owner)[0] === splitDomain(known)[0];
}

function isNearDomain(domain: string, known: string): boolean {
  const [name, ending] = splitDomain(domain);
  const [known_name, known_ending] = splitDomain(known);
  if (known_name.length < MIN_CHARS || COMMON.has(known_name)) return false;
  if (name === known_name) return ending !== known_ending;
  if (isNear(name, known_name)) return true;
  const parts = name.split('-');
  if (parts.length < 2) return false;
  return isFramed(name, known_name) || parts.some((part) => part === known_name || isNear(part, known_name));
}

/** The known name as the beginning or the end of a longer one: `acme-login`, `secure-acme`. */
function isFramed(name: string, known: string): boolean {
  return name.startsWith(`${known}-`) || name.endsWith(`-${known}`);
}

function splitDomain(domain: string): [name: string, ending: string] {
  const dot = domain.indexOf('.');
  return dot < 0 ? [domain, ''] : [domain.slice(0, dot), domain.slice(dot + 1)];
}

/** Different by one letter (two in a long name), or equal once letters that look the same are equal. */
function isNear(name: string, known: string): boolean {
  if (name === known || known.length < MIN_CHARS || COMMON.has(known)) return false;
  if (Math.abs(name.length - known.length) > 2) return false;
  if (normalize(name) === normalize(known)) return true;
  if (withoutCounters(name) === withoutCounters(known)) return false;
  return distance(name, known) <= (known.length >= 10 ? 2 : 1);
}

/** Names that differ only in their numbers, or in single letters that stand alone, belong to one series. */
function withoutCounters(name: string): string {
  return name
    .split(/[-_]?\d{1,8}|[-_][a-z](?![a-z0-9])/)
    .filter((part) => part !== '')
    .join('#');
}

function normalize(name: string): string {
  return LOOKS.reduce((text, [letters, letter]) => text.replace(letters, letter), name);
}

/** Number of letters to insert, delete, replace or swap with their neighbor, for names of up to 100 characters. */
function distance(a: string, b: string): number {
  if (a.length > 100 || b.length > 100) return Number.POSITIVE_INFINITY;
  let [older, old]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(old![j]! + 1, row[j - 1]! + 1, old![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, older![j - 2]! + 1);
    }
    [older, old] = [old, row];
  }
  return old!.at(-1)!;
}
