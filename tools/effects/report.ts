import type { Row } from './build-table.ts';
import type { Classified } from './classify.ts';
import { groupBy } from './group.ts';
import type { Reviewed } from './reviewed.ts';
import type { ProviderSchema } from './sources/index.ts';

/** One provider: counts, disagreements of rules and reading, and what a person should check. */
export function formatProvider(name: string, source: ProviderSchema, rows: readonly Row[], reviewed: Reviewed): string {
  const read = rows.filter(({ type }) => reviewed.isRead(type));
  const corrected = read.filter(isCorrected);
  const lines = [
    `${name}: ${source.schema.size} types, ${rows.length} arguments, ${countUnknown(rows)} unknown`,
    `  read: ${countTypes(read)} types, ${read.length} arguments, ${corrected.length} corrected`,
    ...source.uncertain.map(({ type, token, score }) => `  check match: ${type} ~ ${token} (${score.toFixed(2)})`),
    ...reviewed.listUnused().map((text) => `  correction without argument: ${text}`),
  ];
  if (source.undocumented.length > 0) lines.push(`  without documentation: ${source.undocumented.join(' ')}`);
  return lines.join('\n');
}

/** All providers together, and arguments by effect. */
export function formatTotals(rows: readonly Row[]): string {
  const groups = [...groupBy(rows, ({ final }) => final.effect)].sort(([, a], [, b]) => b.length - a.length);
  const counts = groups.map(
    ([effect, own]) => `  ${effect} ${own.length}, with a safe end ${own.filter(hasEnd).length}`,
  );
  return [`${countTypes(rows)} types, ${rows.length} arguments`, ...counts].join('\n');
}

/** Types for reading: paths by effect and safe end. */
export function formatListing(rows: readonly Row[], types: readonly string[]): string {
  const wanted = rows.filter(({ type, path }) => types.includes(type) && !/^timeouts\b/.test(path));
  return [...groupBy(wanted, ({ type }) => type)].map(([type, own]) => `${type}\n${formatGroups(own)}`).join('\n');
}

function formatGroups(rows: readonly Row[]): string {
  return [...groupBy(rows, ({ final }) => formatEffect(final))]
    .map(([effect, own]) => `  ${effect}: ${own.map(({ path }) => path).join(' ')}`)
    .join('\n');
}

function formatEffect({ effect, safe_end, sentinel }: Classified): string {
  const end = safe_end === null ? '-' : typeof safe_end === 'string' ? safe_end : safe_end.join('<');
  return `${effect} ${end}${sentinel === null ? '' : ` ${sentinel.value}=${sentinel.as}`}`;
}

function isCorrected({ rule, final }: Row): boolean {
  return formatEffect(rule) !== formatEffect(final);
}

function hasEnd({ final }: Row): boolean {
  return final.safe_end !== null;
}

function countUnknown(rows: readonly Row[]): number {
  return rows.filter(({ final }) => final.effect === 'unknown').length;
}

function countTypes(rows: readonly Row[]): number {
  return new Set(rows.map(({ type }) => type)).size;
}
