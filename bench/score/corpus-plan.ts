/** An independent reader of plan files for the corpus run: plain JSON.parse, without the engine's parser. */

import { readProvider } from '../../engine/changes/provider.ts';
import { isCommonWord } from '../../engine/redact/common-words.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The JSON in a file, in UTF-8 or UTF-16, without byte order mark and wrapper lines; undefined if there is none. */
export function parsePlain(bytes: Buffer): { [key: string]: Json } | undefined {
  const text = bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString('utf8');
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const own = lines.filter((line) => !line.startsWith('::') && !line.startsWith('[command]'));
  try {
    return JSON.parse(own.join('\n')) as { [key: string]: Json };
  } catch {
    return undefined;
  }
}

/** Number of entries of `resource_changes` by their joined actions, sorted by name: `create:2,delete/create:1`. */
export function countActions(plan: { [key: string]: Json }): string {
  const counts = new Map<string, number>();
  for (const entry of asList(plan['resource_changes'])) {
    const actions = asList(asObject(asObject(entry)['change'])['actions']).join('/');
    counts.set(actions, (counts.get(actions) ?? 0) + 1);
  }
  return [...counts]
    .map(([actions, count]) => `${actions}:${count}`)
    .sort()
    .join(',');
}

/** The provider of most managed changes; the first in the plan if several have as many, `-` if nothing changes. */
export function findMainProvider(plan: { [key: string]: Json }): string {
  const counts = new Map<string, number>();
  for (const entry of asList(plan['resource_changes']).map(asObject)) {
    if (entry['mode'] === 'data' || isIdle(entry)) continue;
    const name = entry['provider_name'];
    const { provider } = readProvider(typeof name === 'string' ? name : undefined, String(entry['type']));
    counts.set(provider, (counts.get(provider) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, count], [, other]) => other - count);
  return first?.[0] ?? '-';
}

/** An import or a move is a change, although its action is no-op. */
function isIdle(entry: { [key: string]: Json }): boolean {
  const change = asObject(entry['change']);
  const isNoop = asList(change['actions']).join() === 'no-op';
  return isNoop && change['importing'] === undefined && entry['previous_address'] === undefined;
}

/** Shorter strings also occur in ordinary text; the engine hides them only in place. */
const LONG = 8;
const SHORTEST = 6;

/** Every string of at least six characters that the plan marks as sensitive. */
export function collectMarkedStrings(plan: { [key: string]: Json }): Set<string> {
  const found = new Set<string>();
  const entries = [...asList(plan['resource_changes']), ...asList(plan['resource_drift'])].map((entry) =>
    asObject(asObject(entry)['change']),
  );
  for (const change of [...entries, ...Object.values(asObject(plan['output_changes'])).map(asObject)]) {
    collect(change['before'], change['before_sensitive'], found);
    collect(change['after'], change['after_sensitive'], found);
  }
  return found;
}

function collect(value: Json | undefined, mask: Json | undefined, found: Set<string>): void {
  if (typeof value === 'string' && mask === true && countsAsSecret(value)) found.add(value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const inner = typeof mask === 'object' && mask !== null ? (mask as { [key: string]: Json })[key] : mask;
    if (inner === true || typeof inner === 'object') collect(member, inner, found);
  }
}

/** A long word of configurations, such as `production`, stands in many names and says nothing as a secret. */
function countsAsSecret(text: string): boolean {
  return text.length >= SHORTEST && text.trim() !== '' && !(text.length >= LONG && isCommonWord(text));
}

export function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function asObject(value: Json | undefined): { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
