import { escapeInvisible } from '../../../engine/index.ts';
import type { Schemas } from '../../../sdk/src/index.ts';
import { writeTable } from '../table.ts';
import type { Bulk } from './noise-bulk.ts';

type Pattern = Schemas['NoisePattern'];
type Suppression = Schemas['Suppression'];
type Option = Schemas['FixOption'];

const GAP = '  ';
const PATTERNS = ['SEEN', 'SINCE', 'FINGERPRINT', 'KNOWN BY', 'REPOSITORY', 'ATTRIBUTE', 'ADDRESS'];
const SUPPRESSIONS = ['ID', 'UNTIL', 'BY', 'FINGERPRINT', 'ADDRESS', 'REASON'];
const KIND_TEXTS: Record<Option['kind'], string> = {
  fix: 'removes the cause',
  workaround: 'avoids the difference',
  suppress: 'hides the difference',
};

export function writePatterns({ patterns, settings }: Schemas['PlanNoise']): string {
  const { recurrence_threshold, window_days } = settings;
  const often = `more than ${recurrence_threshold} times within ${window_days} days`;
  return patterns.length === 0
    ? `no pattern occurred ${often}\n`
    : `${renderPatternTable(patterns)}occurred ${often}\n`;
}

function renderPatternTable(patterns: readonly Pattern[]): string {
  return writeTable(PATTERNS, patterns.map(toPatternRow));
}

function toPatternRow(one: Pattern): string[] {
  const { occurrence_count, first_seen, fingerprint, attribute, resource_address, suppressed } = one;
  const repo = one.repo_name === null ? '-' : `${one.repo_owner ?? ''}/${one.repo_name}`;
  const rule = one.matched_custom_rule_id ?? one.matched_rule?.id ?? '-';
  const known = suppressed ? `${rule} (suppressed)` : rule;
  return [String(occurrence_count), first_seen.slice(0, 10), fingerprint, known, repo, attribute, resource_address];
}

/** Formats one pattern with its rule, occurrences and suppressions. */
export function renderPattern(
  fingerprint: string,
  patterns: readonly Pattern[],
  suppressions: readonly Suppression[],
): string {
  const rule = patterns.find(({ matched_rule }) => matched_rule !== null)?.matched_rule;
  const parts = [
    `${fingerprint}\n`,
    rule ? `${rule.id}, ${rule.severity}: ${escapeInvisible(rule.title)}\n${escapeInvisible(rule.description)}\n` : '',
    patterns.length === 0 ? 'It does not recur at present.\n' : renderPatternTable(patterns),
    suppressions.length === 0 ? 'It is not suppressed.\n' : writeSuppressions(suppressions),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

export function writeSuppressions(suppressions: readonly Suppression[]): string {
  if (suppressions.length === 0) return 'no suppressions\n';
  const rows = suppressions.map((one) => [
    one.id,
    one.expires_at === null ? 'forever' : `${one.expires_at.slice(0, 10)}${one.expired ? ' (expired)' : ''}`,
    one.suppressed_by,
    one.fingerprint,
    one.resource_address,
    one.reason,
  ]);
  return writeTable(SUPPRESSIONS, rows);
}

const WHY_LEFT_OUT = {
  guarded: 'security, identity, encryption or network',
  caution: 'marked by a caution rule',
  novel: 'no rule knows it',
};

/** Formats the patterns that a bulk suppression accepts and leaves out. */
export function writeBulk({ taken, left_out, applied }: Bulk): string {
  const count = taken.reduce((sum, { patterns }) => sum + patterns.length, 0);
  const heading = applied ? `${count} patterns are suppressed` : `${count} patterns would be suppressed`;
  const groups = taken.map(({ resource_type, attribute, patterns }) => [
    String(patterns.length),
    patterns[0]?.matched_custom_rule_id ?? patterns[0]?.matched_rule?.id ?? '-',
    attribute,
    resource_type,
  ]);
  const others = left_out.map(({ pattern, why }) => [
    pattern.fingerprint,
    WHY_LEFT_OUT[why],
    pattern.attribute,
    pattern.resource_address,
  ]);
  const parts = [
    `${heading}, in ${taken.length} groups\n${groups.length === 0 ? '' : writeTable(['COUNT', 'KNOWN BY', 'ATTRIBUTE', 'TYPE'], groups)}`,
    others.length === 0
      ? ''
      : `${others.length} are left out; to include one, use --also\n${writeTable(['FINGERPRINT', 'REASON', 'ATTRIBUTE', 'ADDRESS'], others)}`,
    applied || count === 0 ? '' : 'nothing was changed; to suppress these patterns, add --apply\n',
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** Formats the options, best first. */
export function writeFixes({ fixes, confidence }: Schemas['FixResult']): string {
  const ranked = [...fixes].sort((a, b) => a.rank - b.rank);
  const writer = confidence > 0.4 ? 'ranked by a language model' : 'ranked by rules';
  return `${ranked.map(writeOption).join('\n')}\n${writer}\n`;
}

function writeOption(option: Option): string {
  const { rank, label, kind, summary, detail, patch, pros, cons, target, min_provider_version } = option;
  const lines = [
    `${rank}. ${label} (${KIND_TEXTS[kind]})`,
    `${GAP} ${target.attribute} of ${target.resource_address ?? `every ${target.resource_type}`}`,
    ...[summary, detail].filter((text) => text !== '').map((text) => `${GAP} ${text}`),
    ...(min_provider_version === null ? [] : [`${GAP} requires provider version ${min_provider_version} or later`]),
    ...pros.map((point) => `${GAP} + ${point}`),
    ...cons.map((point) => `${GAP} - ${point}`),
    ...renderPatch('remove:', patch?.before),
    ...renderPatch('add:', patch?.after),
  ];
  return `${lines.map(escapeInvisible).join('\n')}\n`;
}

function renderPatch(title: string, code: string | null | undefined): string[] {
  if (code === null || code === undefined) return [];
  return [`${GAP} ${title}`, ...code.split('\n').map((line) => `${GAP}${GAP} ${line}`)];
}
