import type { MaybeJson } from '../../../changes/values.ts';
import { list, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';

const SPF = /^"?v=spf1\s/i;
/** What a receiver does with mail from any other server, from the safest on. */
const SPF_ENDS = ['-all', '~all', '?all', '+all'];
const DMARC = /^"?v=dmarc1\s{0,4};/i;
const DMARC_POLICY = /;\s{0,4}p\s{0,4}=\s{0,4}(reject|quarantine|none)/i;
const DMARC_POLICIES = ['reject', 'quarantine', 'none'];

/** Judges rules for mail of a domain, as DNS publishes them, wherever they stand. */
export function judgeMailPolicy({ before, after }: Argument): ValueFinding | null {
  const [from, to] = [list(before).map(readText), list(after).map(readText)];
  return (
    judgeRank(findRank(from, readSpf), findRank(to, readSpf)) ??
    judgeRank(findRank(from, readDmarc), findRank(to, readDmarc))
  );
}

const MAX_CHARS = 4_000;

function readText(value: MaybeJson): string {
  return text(value).slice(0, MAX_CHARS);
}

/** The rank of the only record of its kind; -1 if there is none. */
function findRank(texts: readonly string[], read: (text: string) => number): number {
  return texts.map(read).find((rank) => rank >= 0) ?? -1;
}

function judgeRank(from: number, to: number): ValueFinding | null {
  if (from < 0 || to < 0 || to === from) return null;
  if (to < from) return { ...FINDING, level: 'low', direction: 'strengthening' };
  return {
    ...FINDING,
    level: to >= 2 ? 'high' : 'medium',
    direction: 'weakening',
  };
}

const FINDING = {
  rule: 'R-VAL-MAIL',
  consequence: 'Receivers accept mail that others send in the name of the domain',
} as const;

function readSpf(text: string): number {
  if (!SPF.test(text)) return -1;
  const end = text
    .replace(/"/g, '')
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .find((part) => /^[-~?+]?all$/.test(part));
  return end === undefined ? 2 : SPF_ENDS.indexOf(end === 'all' ? '+all' : end);
}

function readDmarc(text: string): number {
  const policy = DMARC.test(text) ? DMARC_POLICY.exec(text)?.[1] : undefined;
  return policy === undefined ? -1 : DMARC_POLICIES.indexOf(policy.toLowerCase());
}
