/** Judges lines of scripts, queries and policies in which one word, network, comparison or time is another one. */
import { isWholeInternet, parseCidr } from '../../lib/cidr.ts';
import { readMagnitude } from '../meaning/magnitude.ts';
import { judgeEditedScope } from './edited-scopes.ts';
import type { LineConsequence } from './script-rules.ts';

const WORDS = /\w[\w.:/-]{0,200}|[=!<>~]{1,3}/g;
const MAX_WORDS = 300;
const STOPS = /^(?:deny|denied|drop|reject|block|refuse|forbid|refused)$/i;
const PASSES = /^(?:allow|allowed|accept|permit|pass|grant)$/i;
const REFUSES = /\b(?:deny|drop|reject|block|refuse|forbid|except|route|via|out|output|egress|to\s{1,5}[\d:])\b/i;
const LETS_IN = /\b(?:allow|accept|permit|from|source|trust|trusted|host|hostssl|ingress|-s|--source)\b/i;
/** What a condition about callers compares. */
const CALLERS = /\b(?:user|role|group|claims?|token|principal|subject|input|request|auth|owner|tenant|account|issuer)/i;
const OPPOSITES: Readonly<Record<string, string>> = {
  '==': '!=',
  '=': '!=',
  '!=': '==',
  '<>': '=',
  '>': '<',
  '<': '>',
  '>=': '<=',
  '<=': '>=',
};
const DELETES = /\b(?:delete|purge|prune|expire|forget|truncate|cleanup|drop_chunks|rm)\b|-mtime|older[_-]?than/i;
const AMOUNT = /\d{1,9}(?:\.\d{1,4})?\s?(?:years?|months?|weeks?|days?|hours?|minutes?|[ydhms])?(?![\w.])/gi;
const DELETE_ALL = /\bdelete\s{1,5}from\b/i;
const WHERE = /\bwhere\b/i;

/** What follows from an edit of a line; null when nothing does. */
export function judgeEditedLine(before: string, after: string): LineConsequence | null {
  if (DELETE_ALL.test(before) && WHERE.test(before) && DELETE_ALL.test(after) && !WHERE.test(after))
    return { level: 'high', consequence: 'Every row is deleted, not only those that the condition named' };
  return (
    judgeWord(before, after) ??
    judgeAge(before, after) ??
    judgePattern(before, after) ??
    judgeIgnored(before, after) ??
    judgeEditedScope(before, after)
  );
}

/** A line in which exactly one word differs. */
function judgeWord(before: string, after: string): LineConsequence | null {
  const [from, to] = [before.match(WORDS) ?? [], after.match(WORDS) ?? []];
  if (from.length !== to.length || from.length > MAX_WORDS) return null;
  const at = from.findIndex((word, index) => word !== to[index]);
  if (at < 0 || from.some((word, index) => index > at && word !== to[index])) return null;
  const [was, is] = [from[at]!, to[at]!];
  if (STOPS.test(was) && PASSES.test(is)) return { level: 'high', consequence: 'What was refused is let through' };
  if (OPPOSITES[was] === is || OPPOSITES[is] === was)
    return CALLERS.test(after) ? { level: 'high', consequence: 'A condition about who asks is turned around' } : null;
  if (GROUPS.test(after) && isGreat(is) && !isGreat(was))
    return { level: 'high', consequence: 'Somebody gets the rights of an administrator' };
  if (LISTENS.test(after) && LOCAL.test(was) && EVERYWHERE.test(is))
    return { level: 'medium', consequence: 'A program listens on all addresses, so other hosts reach it' };
  const opens = isInternet(is) && !isInternet(was) && parseCidr(was) !== undefined;
  return opens && LETS_IN.test(after) && !REFUSES.test(after)
    ? { level: 'high', consequence: 'Every address is let in' }
    : null;
}

const GROUPS = /\b(?:roles?|groups?|g,|member|grant|perm\w{0,10}|policy|access)\b/i;
const GREAT =
  /^(?:.{0,40}[:./])?(?:admin|administrators?|owner|root|superuser|superadmin|system:masters|cluster-admin|masters)$/i;
const LISTENS = /\b(?:bind|listen|host|addr|address|listen_address\w{0,3})\b/i;
const LOCAL = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost)(?::\d{1,5})?$/i;
const EVERYWHERE = /^0\.0\.0\.0(?::\d{1,5})?$/;

function isGreat(word: string): boolean {
  return GREAT.test(word);
}

const LEAVES_OUT = /^\s{0,20}(?:exclude|drop|discard|ignore|filter_out|skip)\w{0,10}[\s:=]/i;
const BROAD = /[\s"'=/]\^?\.[*+]\$?["'/]?\s{0,5}$/;

/** A line that leaves something out comes to end in a pattern for everything. */
function judgePattern(before: string, after: string): LineConsequence | null {
  if (!LEAVES_OUT.test(before) || !LEAVES_OUT.test(after) || BROAD.test(before) || !BROAD.test(after)) return null;
  return { level: 'high', consequence: 'Everything is left out, because the pattern matches every text' };
}

const IGNORED = /\|\|\s{0,3}(?:true|:|exit\s{1,3}0|echo\b[^|&]{0,200})\s{0,5}$/;
const CHECKS =
  /\b(?:test|lint|audit|vet|verify|check|validate|scan|trivy|grype|snyk|checkov|tfsec|semgrep|gitleaks|conftest|cosign|sha256sum|gpg|pytest|jest)\b/i;
const PINNED = /\bnpm\s{1,5}ci\b/;
const UNPINNED = /\bnpm\s{1,5}(?:i|install)\b/;

/** A check whose failure no longer stops anything, or packages that are installed without their lock file or with scripts. */
function judgeIgnored(before: string, after: string): LineConsequence | null {
  if (CHECKS.test(before) && IGNORED.test(after) && !IGNORED.test(before))
    return { level: 'medium', consequence: 'A check can fail without consequences' };
  const loosens =
    (PINNED.test(before) && UNPINNED.test(after)) ||
    (before.includes('--ignore-scripts') && !after.includes('--ignore-scripts') && /\b(?:npm|yarn|pnpm)\b/.test(after));
  return loosens ? { level: 'medium', consequence: 'Packages are installed unchecked, or run their own code' } : null;
}

function isInternet(word: string): boolean {
  const network = parseCidr(word);
  return network !== undefined && isWholeInternet(network);
}

/** A line that deletes what is older than a time, in which only the times differ. */
function judgeAge(before: string, after: string): LineConsequence | null {
  if (!DELETES.test(after) || before.replace(AMOUNT, '#') !== after.replace(AMOUNT, '#')) return null;
  const [from, to] = [listAmounts(before), listAmounts(after)];
  const shares = from.map((amount, at) => (to[at] ?? 0) / amount).filter((share) => share < 1);
  const least = Math.min(...shares);
  if (shares.length === 0 || least > 0.5) return null;
  return { level: least <= 0.1 ? 'high' : 'medium', consequence: 'Much younger data is deleted' };
}

function listAmounts(line: string): number[] {
  return (line.match(AMOUNT) ?? []).map((text) => readMagnitude(text)?.amount ?? 0);
}
