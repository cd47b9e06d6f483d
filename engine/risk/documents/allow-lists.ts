/** Judges lists of sources in documents, such as the networks that an ingress lets in. */
import type { MaybeJson } from '../../changes/values.ts';
import { type Cidr, contains, isWholeInternet, parseCidr } from '../../lib/cidr.ts';
import type { RiskLevel } from '../../model/result.ts';
import { rateRanges } from '../meaning/values/ranges.ts';
import { isAllowlist } from './known-settings.ts';
import type { SettingFinding } from './settings.ts';

/** Judges a list of sources that may connect by what it gains; without entries, all may. */
export function judgeAllowlist(words: readonly string[], before: MaybeJson, after: MaybeJson): SettingFinding | null {
  if (!isAllowlist(words)) return null;
  const [was, is] = [toEntries(before), toEntries(after)];
  if (is.length === 0)
    return was.length === 0 ? null : weaken('high', 'A list of allowed sources is removed, so all may connect');
  const was_open = was.length === 0 || was.some(isEverywhere);
  if (was_open && !is.some(isEverywhere)) return STRENGTHENS;
  const known = was.map(parseCidr).filter((range) => range !== undefined);
  const gained = is.filter((entry) => !was.includes(entry) && !isInside(entry, known));
  if (gained.length === 0) return STRENGTHENS;
  if (gained.some(isEverywhere)) return weaken('high', 'All sources are allowed');
  return readsAsVast(gained)
    ? weaken('high', 'Nearly the whole internet is allowed')
    : weaken('medium', 'More sources are allowed');
}

const EVERYWHERE = new Set(['*', 'all', 'any', '0.0.0.0', '.*', 'everyone', 'world', 'internet', 'public']);

/** Every source, in words or as a network, whatever stands before a `/0`. */
function isEverywhere(entry: string): boolean {
  const range = parseCidr(entry);
  return EVERYWHERE.has(entry.toLowerCase()) || (range !== undefined && isWholeInternet(range));
}

function isInside(entry: string, ranges: readonly Cidr[]): boolean {
  const inner = parseCidr(entry);
  return inner !== undefined && ranges.some((outer) => contains(outer, inner));
}

function readsAsVast(entries: readonly string[]): boolean {
  const ranges = entries.map(parseCidr).filter((range) => range !== undefined);
  return rateRanges(ranges) === 'high';
}

function toEntries(value: MaybeJson): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,\s]+/) : [];
  return list
    .map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
    .filter((entry) => entry !== '');
}

function weaken(level: RiskLevel, consequence: string): SettingFinding {
  return { level, direction: 'weakening', consequence };
}

const STRENGTHENS: SettingFinding = {
  level: 'low',
  direction: 'strengthening',
  consequence: 'The setting is stricter',
};
