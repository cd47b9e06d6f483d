/** R-IAM-ROLE: a role, permission or access level that moves up or down in an order that everybody uses alike. */
import { toPathNode } from '../../../changes/path-node.ts';
import type { AttributeDiff, RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Path } from '../types.ts';

/** From the least to the most powerful; roles of one step are alike. */
const STEPS: readonly (readonly string[])[] = [
  ['none', 'no_access', 'no access', 'minimal'],
  ['guest', 'metadata', 'restricted', 'browser'],
  ['viewer', 'view', 'reader', 'read', 'read_only', 'readonly', 'read-only', 'pull', 'observer', 'reporter', 'auditor'],
  ['triage', 'plan', 'commenter', 'responder', 'limited_user', 'query', 'use', 'user'],
  [
    'member',
    'developer',
    'editor',
    'edit',
    'write',
    'writer',
    'push',
    'contributor',
    'read_write',
    'readwrite',
    'operator',
    'can_edit',
    'can_run',
  ],
  ['maintain', 'maintainer', 'manager', 'manage', 'can_manage', 'power_user', 'project_admin', 'group_admin'],
  [
    'admin',
    'administrator',
    'owner',
    'account_owner',
    'org_admin',
    'super_admin',
    'superuser',
    'root',
    'full',
    'full_access',
    'all',
    'accountadmin',
    'sysadmin',
  ],
];
const ORDER: ReadonlyMap<string, number> = new Map(STEPS.flatMap((names, step) => names.map((name) => [name, step])));
const TOP = STEPS.length - 1;
const NAMES =
  /^(?:(?:[a-z]{1,20}_)?(?:role|permission|permissions|access|access_level|access_role|privilege|permission_level)|group_access|base_role|org_role|default_role)$/;
/** Types in which such words grant something to somebody. */
const GRANTS =
  /member|membership|user|team|group|role|grant|access|permission|share|collaborator|binding|assignment|invit|organization|project|account|identity|login|seat|principal/;
const MAX_DIFFS = 500;

/**
 * Judges changed roles that no other rule has judged.
 *
 * @param isJudged whether a rule has reported a path or given it a direction
 */
export function findRoleMoves(subject: Subject, isJudged: (diff: AttributeDiff) => boolean): void {
  if (!GRANTS.test(subject.type)) return;
  for (const diff of subject.change.diffs.slice(0, MAX_DIFFS)) {
    const [from, to] = [readStep(diff.before), readStep(diff.after)];
    if (from === undefined || to === undefined || from === to || isJudged(diff)) continue;
    if (!NAMES.test(toPathNode(diff).name)) continue;
    reportMove(subject, diff.path_segments, from, to);
  }
}

function readStep(value: AttributeDiff['before']): number | undefined {
  return typeof value === 'string' ? ORDER.get(value.toLowerCase()) : undefined;
}

function reportMove(subject: Subject, path: Path, from: number, to: number): void {
  if (to < from) {
    subject.setDirection(path, 'strengthening');
    return;
  }
  const level: RiskLevel = to === TOP ? 'high' : 'medium';
  const message = `The role gets more powerful: ${subject.formatPath(path)}.`;
  subject.add({ rule: 'R-IAM-ROLE', level, path, message, neutral: level === 'medium' });
  subject.setDirection(path, 'weakening');
}
