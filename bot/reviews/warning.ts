import type { RiskLevel } from '../../engine/index.ts';

/** The text of the comment that notifies approvers. It contains nothing from the plan, so nothing in it can take effect. */
export function warningText(before: RiskLevel, now: RiskLevel, head_sha: string): string {
  const was = before === 'none' ? 'no' : before;
  return (
    `**The risk of this pull request has risen to ${now} since it was approved.** The approved plan had ` +
    `${was} risk; the plan of \`${head_sha.slice(0, 7)}\` has ${now} risk. See the plan review in this conversation.\n`
  );
}
