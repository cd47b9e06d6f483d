/** Conditions of workload identity federation, which limit the external identities that are accepted. */

/** Reasons of R-IAM-TRUST. */
const REASONS = {
  no_owner: 'The condition no longer names an owner: identities that anyone can create are accepted.',
  other: 'The condition accepts different identities of the external provider.',
  open: 'The expression does not name an owner: identities that anyone can create are accepted.',
  other_claims: 'The expression accepts different identities of the external provider.',
};

import { celForm } from '../../../canonical/code.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { splitTop } from '../expressions.ts';
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { isEmpty, member, text } from '../values.ts';
import { requiresAll } from './implied-tests.ts';

/** Claims and attributes that identify one owner on the external platform. */
const IDENTITY =
  /(?:assertion|attribute|google)\.(?:sub|subject|repository|repository_id|repository_owner|repository_owner_id|project_path|project_id|namespace_path|namespace_id|organization|organization_id|terraform_organization_id|terraform_workspace_id|account|arn|aws_role|workspace|oid|tid|email|job_workflow_ref|workflow_ref)\b/;
const DEPTH_MAX = 30;
const LINE_BREAKS = ['\n', '\r', '\u2028', '\u2029'];
const LINE_BREAK = /[\n\r\u2028\u2029]/;
const LIST_BEGINS = /\bin\s*\[/;
/** The text begins with the complete name of the owner. */
const BEGINS = /\.startsWith\(\s*(?:"[^"'*/:]*[/:][^"'*]*"|'[^"'*/:]*[/:][^"'*]*')\s*\)$/;
const MATCHES = /\.matches\(\s*r?(["'])\^[^"'.*+?[(|]+[/:]/;

/**
 * Returns true when a condition accepts only identities of named owners. Conditions nested deeper than DEPTH_MAX are
 * not read, because each level reads all levels below it.
 */
function isPinned(condition: string, depth = 0): boolean {
  if (depth > DEPTH_MAX) return false;
  const alternatives = splitTop(condition, '||');
  if (alternatives.length > 1) return alternatives.every((part) => isPinned(part, depth + 1));
  const parts = splitTop(alternatives[0] ?? '', '&&');
  if (parts.length > 1) return parts.some((part) => isPinned(part, depth + 1));
  const part = parts[0] ?? '';
  if (part.includes('!=') || part.startsWith('!') || !IDENTITY.test(part)) return false;
  return equalsText(part) || isListed(part) || BEGINS.test(part) || MATCHES.test(part);
}

/** Matches `… == "text"` or `"text" == …` where neither side spans a line break. */
export function equalsText(part: string): boolean {
  const first_break = part.search(LINE_BREAK);
  const unbroken = first_break < 0 ? part.length : first_break;
  const broken_until = Math.max(...LINE_BREAKS.map((end) => part.lastIndexOf(end)));
  for (let at = part.indexOf('=='); at >= 0; at = part.indexOf('==', at + 1)) {
    const right = part.length - part.slice(at + 2).trimStart().length;
    if (at > 0 && at <= unbroken && broken_until < right && isQuoted(part.slice(right))) return true;
    const left = part.slice(0, at).trimEnd();
    if (at + 2 < part.length && broken_until < at + 2 && left.length <= unbroken && isQuoted(left)) return true;
  }
  return false;
}

function isQuoted(text: string): boolean {
  return text.length > 2 && (text[0] === '"' || text[0] === "'") && text.at(-1) === text[0];
}

/** Matches `… in [ … ]`. */
export function isListed(part: string): boolean {
  return part.endsWith(']') && LIST_BEGINS.test(part.slice(part.lastIndexOf(']', part.length - 2) + 1));
}

/** R-IAM-TRUST for the condition of a Google provider. A removed condition is covered by a row in `data/`. */
function judgeCondition(subject: Subject): void {
  const attribute = 'attribute_condition';
  const [before, after] = [member(subject.before, attribute), member(subject.after, attribute)];
  if (isEmpty(before) || isEmpty(after) || subject.isUnknown(attribute)) return;
  const [from, to] = [text(before), text(after)];
  if (celForm(from) !== null && celForm(from) === celForm(to)) return;
  const judged = compare(from, to);
  if (judged === 'same') return;
  subject.setDirection([attribute], judged === 'narrower' ? 'strengthening' : 'weakening');
  if (judged === 'narrower') return;
  const message = judged === 'critical' ? REASONS.no_owner : REASONS.other;
  subject.add({ rule: 'R-IAM-TRUST', level: judged, path: [attribute], message });
}

function compare(before: string, after: string): 'same' | 'narrower' | RiskLevel {
  const [fewer, more] = [requiresAll(after, before), requiresAll(before, after)];
  if (fewer) return more ? 'same' : 'narrower';
  return isPinned(before) && !isPinned(after) ? 'critical' : 'high';
}

/** Checks the subject that an Azure identity trusts. A claim that is compared by a pattern may not name an owner. */
function judgeClaims(subject: Subject): void {
  const attribute = 'claims_matching_expression';
  const readClaim = (side: Value): string =>
    text(member(side, attribute)) || text(member(member(side, attribute), 'value'));
  const [before, after] = [readClaim(subject.before), readClaim(subject.after)];
  if (after === '' || before === after || subject.isUnknown(attribute)) return;
  const open = isOpenClaim(after);
  if (subject.mode === 'create' && !open) return;
  const level: RiskLevel = open && !isOpenClaim(before) ? 'critical' : 'high';
  const message = open ? REASONS.open : REASONS.other_claims;
  subject.add({ rule: 'R-IAM-TRUST', level, path: [attribute], message });
  subject.setDirection([attribute], 'weakening');
}

/** Matches expressions such as `claims['sub'] matches 'repo:*'`. */
function isOpenClaim(expression: string): boolean {
  return /\bmatches\s*'(?:[a-z_]{1,20}:)?[*?]/i.test(expression);
}

export const FEDERATION_RULES: readonly Rule[] = [
  {
    types: ['google_iam_workload_identity_pool_provider', 'google_iam_workforce_pool_provider'],
    watches: [{ path: 'attribute_condition' }],
    modes: ['update', 'replace'],
    find: judgeCondition,
  },
  {
    types: ['azuread_application_flexible_federated_identity_credential'],
    watches: [{ path: 'claims_matching_expression' }],
    find: judgeClaims,
  },
];
