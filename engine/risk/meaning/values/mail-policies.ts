import type { Argument, ValueFinding } from './types.ts';

const SPF = /^"?v=spf1\s/i;
/** What a receiver does with mail from any other server, from the safest on. */
const SPF_ENDS = ['-all', '~all', '?all', '+all'];
const DMARC = /^"?v=dmarc1\s{0,4};/i;
const DMARC_POLICY = /;\s{0,4}p\s{0,4}=\s{0,4}(reject|quarantine|none)/i;
const DMARC_POLICIES = ['reject', 'quarantine', 'none'];

/** Judges rules for mail of a domain, as DNS publishes them, wherever they stand. */
export function judgeMailPolicy({ before, after }: Argument): ValueFinding | null {
  if (typeof before !== 'string' || typeof after !== 'string' || before.length > 4_000 || after.length > 4_000)
    return null;
  return judgeRank(readSpf(before), readSpf(after)) ?? judgeRank(readDmarc(before), readDmarc(after));
}

function judgeRank(from: number, to: number): ValueFinding | null {
  if (from < 0 || to <= from) return null;
  return {
    rule: 'R-VAL-MAIL',
    level: to >= 2 ? 'high' : 'medium',
    direction: 'weakening',
    consequence: 'Receivers accept mail that others send in the name of the domain',
  };
}

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
