/** Hosts and images in settings: whether they move to somebody else. */
import type { MaybeJson } from '../../changes/values.ts';
import { splitWords } from '../../effects/words.ts';
import type { RiskLevel } from '../../model/result.ts';
import { isPrivateRegistry, isVendor } from '../destinations/hosts.ts';
import { isAnonymousHost, readPlace } from '../destinations/places.ts';

export interface HostMove {
  level: RiskLevel;
  consequence: string;
}

/** Words of settings that hold a host or an image without a scheme. */
const HOLDERS = new Set(
  splitWords(
    'host hostname domain endpoint address server url uri broker upstream registry image repository repo dsn issuer target gateway',
  ),
);
const IMAGES = new Set(['image', 'repository', 'registry']);
/** Domains of private networks, of which the last labels do not name an owner. */
const PRIVATE = /(?:^|\.)(?:internal|local|lan|corp|home|svc|consul|test|example|localhost|invalid|intranet|private)$/;
const URL_IN_LINE = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>|;,)\\]{3,300}/gi;
const IMAGE_LINE = /^(?:FROM|image:?)\s+(\S{3,300})/;
const MAX_URLS = 4;
const SCHEME = /^([a-z][a-z0-9+.-]{1,20}):\/\//i;

/** Judges a changed address by its owner; null when it stays with its owner or is no address. */
export function findHostMove(words: readonly string[], before: MaybeJson, after: MaybeJson): HostMove | null {
  if (typeof before !== 'string' || typeof after !== 'string' || before === '') return null;
  if (isAnonymousHost(after) && !isAnonymousHost(before))
    return { level: 'high', consequence: 'It uses a host that anyone can register' };
  if (/^https:/i.test(before) && /^http:/i.test(after))
    return { level: 'medium', consequence: 'The connection is no longer encrypted' };
  if (!(SCHEME.test(after) && SCHEME.test(before)) && !words.slice(-3).some((word) => HOLDERS.has(word))) return null;
  const [from, to] = [findOwner(before), findOwner(after)];
  if (from === undefined || to === undefined || from === to || PRIVATE.test(from) || PRIVATE.test(to)) return null;
  if (isLookAlike(from, to)) return { level: 'high', consequence: 'It uses a host whose name imitates the former one' };
  return isPrivateRegistry(from) && !isVendor(to) && words.some((word) => IMAGES.has(word))
    ? { level: 'high', consequence: 'It runs an image of somebody else instead of one of ours' }
    : { level: 'medium', consequence: 'It uses a host or an image of somebody else' };
}

/** Judges the addresses of an edited line, in order; null when all stay with their owners. */
export function findHostMoveInLine(before: string, after: string): HostMove | null {
  const [from, to] = [listAddresses(before), listAddresses(after)];
  for (let at = 0; at < Math.min(from.length, to.length); at++) {
    const found = findHostMove(['image'], from[at], to[at]);
    if (found !== null) return found;
  }
  return null;
}

function listAddresses(line: string): string[] {
  const image = IMAGE_LINE.exec(line)?.[1];
  return image === undefined ? (line.match(URL_IN_LINE) ?? []).slice(0, MAX_URLS) : [image];
}

/** Hosts of which the first part of a path names the owner: of code, and of images. */
const SHARED_HOST =
  /^(?:[a-z+]{1,20}:\/\/|git@)?(?:[^\s/@]{1,100}@)?((?:www\.|raw\.)?(?:github\.com|gitlab\.com|bitbucket\.org|githubusercontent\.com|ghcr\.io|docker\.io|quay\.io))[/:]([^/\s:]{1,100})/i;

function findOwner(value: string): string | undefined {
  const shared = SHARED_HOST.exec(value);
  return shared === null ? readPlace(value)?.owner : `${shared[1]}/${shared[2]}`.toLowerCase();
}

const MIN_SHARED = 6;
const MIN_CHARS = 5;
const MAX_CHARS = 60;
/** Letters that read like others. */
const LOOKS_LIKE: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[0]/g, 'o'],
  [/[1|i]/g, 'l'],
  [/5/g, 's'],
  [/[-_.]/g, ''],
];

/**
 * Whether an owner has a name that can be taken for the name of another: it begins the same (`example-pay.com`,
 * `example-pays.io`), looks the same, or differs by a letter.
 */
export function isLookAlike(from: string, to: string): boolean {
  const [known, other] = [readName(from), readName(to)];
  if (known === other || Math.min(known.length, other.length) < MIN_CHARS) return false;
  if (Math.max(known.length, other.length) > MAX_CHARS || withoutDigits(known) === withoutDigits(other)) return false;
  let shared = 0;
  while (shared < known.length && known[shared] === other[shared]) shared++;
  const begins_same = shared >= MIN_SHARED && shared * 3 >= known.length * 2 && shared < known.length;
  if (begins_same && from.includes('.')) return true;
  return fold(known) === fold(other) || isOneLetterApart(known, other, shared);
}

/** The name of a domain without its last label, or of an owner below a shared host. */
function readName(owner: string): string {
  const slash = owner.lastIndexOf('/');
  return slash >= 0 ? owner.slice(slash + 1) : owner.slice(0, Math.max(0, owner.lastIndexOf('.')));
}

/** Names that differ only in their numbers are numbered. */
function withoutDigits(name: string): string {
  return name.replace(/\d+/g, '');
}

function fold(name: string): string {
  return LOOKS_LIKE.reduce((text, [pattern, letter]) => text.replace(pattern, letter), name);
}

function isOneLetterApart(known: string, other: string, shared: number): boolean {
  const rest = (text: string, skipped: number) => text.slice(shared + skipped);
  if (rest(known, 1) === rest(other, 1) || rest(known, 1) === rest(other, 0) || rest(known, 0) === rest(other, 1))
    return true;
  const is_swapped = known[shared] === other[shared + 1] && known[shared + 1] === other[shared];
  return is_swapped && rest(known, 2) === rest(other, 2);
}
