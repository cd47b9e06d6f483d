import type { RiskLevel } from '../../engine/index.ts';

/** The one comment that notifies: holds nothing of the plan, so that nothing in it can act. */
export function warningText(before: RiskLevel, now: RiskLevel, head_sha: string): string {
  const was = before === 'none' ? 'no' : before;
  return (
    `**The risk of this pull request has risen to ${now} since it was approved.** The plan that was reviewed had ` +
    `${was} risk; that of \`${head_sha.slice(0, 7)}\` has ${now} risk. The plan review in this conversation says why.\n`
  );
}
