/** Subjects of workload identity federation: which repository, branch, environment or workspace an identity stands for. */
import { compareLevels } from '../../../model/levels.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { matchesWildcard } from './wildcard.ts';

/** How the accepted subjects change, from the safest to the most dangerous. */
export type SubjectChange = 'same' | 'narrower' | 'sibling' | 'wider' | 'foreign' | 'anyone';

export const SUBJECT_LEVELS: Record<SubjectChange, RiskLevel> = {
  same: 'none',
  narrower: 'low',
  sibling: 'medium',
  wider: 'high',
  foreign: 'high',
  anyone: 'critical',
};

const MAX_SUBJECTS = 50;

interface Parts {
  platform: string;
  /** Organization, group or namespace. */
  owner: string;
  /** Repository, project or account. */
  project: string;
  /** Branch, environment, run phase. */
  scope: string;
}

/** `repo:acme/shop:ref:refs/heads/main`, `project_path:group/app:ref_type:branch:ref:main`, `organization:acme:…`. */
const PATH_SUBJECT =
  /^(repo|project_path|repository|namespace|workspace):([^/:]{1,100})\/([^:]{1,200})(?::(.{0,300}))?$/;
const WORKSPACE_SUBJECT = /^organization:([^:]{1,100}):project:([^:]{1,100}):workspace:([^:]{1,100})(?::(.{0,100}))?$/;
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]{1,63}):([^:]{1,253})$/;

function readSubject(subject: string): Parts {
  const path = PATH_SUBJECT.exec(subject);
  if (path !== null) return { platform: path[1]!, owner: path[2]!, project: path[3]!, scope: path[4] ?? '' };
  const workspace = WORKSPACE_SUBJECT.exec(subject);
  if (workspace !== null) {
    const [, owner, project, name, phase] = workspace;
    return { platform: 'organization', owner: owner!, project: `${project}/${name}`, scope: phase ?? '' };
  }
  const account = SERVICE_ACCOUNT.exec(subject);
  if (account !== null) return { platform: 'serviceaccount', owner: account[1]!, project: account[2]!, scope: '' };
  const [owner = '', ...rest] = subject.split(/[:/]/);
  return { platform: '', owner, project: rest.join('/'), scope: '' };
}

/** A wildcard before the end of the owner's name: whoever takes a name that begins like it is accepted too. */
const OPEN_OWNER = /^(?:repo|project_path|repository|namespace|organization):[^/:]{0,100}[*?]/;

/** Matches `*`, and patterns such as `repo:*` and `repo:acme*` that do not name an owner. */
export function isOpenSubject(subject: string): boolean {
  return /^(?:[a-z_]{1,20}:)?[*?]/.test(subject) || OPEN_OWNER.test(subject);
}

/** Compares the subjects, or patterns of subjects, that are accepted before and after a change. */
export function compareSubjects(before: readonly string[], after: readonly string[]): SubjectChange {
  const known = before.slice(0, MAX_SUBJECTS);
  const changes = after.slice(0, MAX_SUBJECTS).map((subject) => compareSubject(known, subject));
  const worst = changes.sort((a, b) => compareLevels(SUBJECT_LEVELS[b], SUBJECT_LEVELS[a]))[0] ?? 'same';
  const is_shorter = before.some((subject) => !after.includes(subject));
  return worst === 'same' && is_shorter ? 'narrower' : worst;
}

function compareSubject(before: readonly string[], subject: string): SubjectChange {
  if (before.includes(subject)) return 'same';
  if (before.some((pattern) => matchesWildcard(pattern, subject))) return 'narrower';
  const now = readSubject(subject);
  if (isOpen(now.owner) || isOpenSubject(subject)) return 'anyone';
  const related = before
    .map(readSubject)
    .filter((was) => was.owner === now.owner || matchesWildcard(was.owner, now.owner));
  if (related.length === 0) return 'foreign';
  if (!related.some((was) => matchesWildcard(was.project, now.project))) {
    const opens_scope = isOpen(now.scope) && !related.some((was) => was.scope === '' || isOpen(was.scope));
    return isOpen(now.project) || opens_scope ? 'wider' : 'sibling';
  }
  return compareScope(now);
}

function compareScope({ scope, project }: Parts): SubjectChange {
  if (/^environment:[^*?]{1,200}$/.test(scope)) return 'narrower';
  return isOpen(scope) || scope === 'pull_request' || isOpen(project) ? 'wider' : 'sibling';
}

/** A pattern that many names match. */
function isOpen(part: string): boolean {
  return part.includes('*') || part.includes('?');
}
