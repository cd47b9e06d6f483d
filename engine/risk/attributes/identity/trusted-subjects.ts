/** Subjects of external identities in trust policies of AWS. */
import { conditionEntries, type Statement, statementKey } from './policy.ts';
import { compareSubjects, SUBJECT_LEVELS, type SubjectChange } from './subjects.ts';

export interface SubjectFinding {
  change: SubjectChange;
  subjects: string[];
  /** The policies differ in nothing but the subjects. */
  only: boolean;
}

/**
 * Compares the subjects that the statements accept from each identity provider.
 *
 * @returns the most dangerous change; null if a side accepts every subject, which other rules judge, or none is bound
 */
export function findSubjectChange(before: readonly Statement[], after: readonly Statement[]): SubjectFinding | null {
  const [known, now] = [collectSubjects(before), collectSubjects(after)];
  let worst: SubjectFinding | null = null;
  const only = describeRest(before) === describeRest(after);
  for (const [provider, subjects] of now) {
    const earlier = known.get(provider);
    if (earlier === undefined) continue;
    const change = compareSubjects(earlier, subjects);
    const is_worse = worst === null || findRank(change) > findRank(worst.change);
    if (is_worse) worst = { change, subjects: subjects.filter((subject) => !earlier.includes(subject)), only };
  }
  return worst;
}

const RANKS = Object.keys(SUBJECT_LEVELS);
const findRank = (change: SubjectChange): number => RANKS.indexOf(change);

function collectSubjects(statements: readonly Statement[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { allow, principals, condition } of statements) {
    const providers = allow ? principals.filter(({ kind }) => kind === 'Federated') : [];
    const subjects = conditionEntries(condition).flatMap(([operator, key, values]) =>
      key.endsWith(':sub') && !operator.includes('not') ? values : [],
    );
    if (subjects.length === 0) continue;
    for (const { value } of providers) found.set(value, [...(found.get(value) ?? []), ...subjects]);
  }
  return found;
}

/** The statements without the conditions on subjects, as a text that is equal for equal statements. */
function describeRest(statements: readonly Statement[]): string {
  const keys = statements.map((statement) => {
    const rest = conditionEntries(statement.condition).filter(([, key]) => !key.endsWith(':sub'));
    return `${statementKey({ ...statement, condition: null })}\n${JSON.stringify(rest.toSorted())}`;
  });
  return keys.sort().join('\n\n');
}
