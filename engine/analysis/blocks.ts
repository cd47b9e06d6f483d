import { maxLevel } from '../model/levels.ts';
import type { Reason } from '../model/result.ts';
import { compareReasons } from '../risk/judge.ts';
import { compareText, type JudgedChange } from './ranking.ts';

interface Block {
  reason: Reason;
  count: number;
  /** First address in sort order, independent of the order of the plan. */
  address: string;
}

/** Policy rules that block this plan, one reason per rule with the first matching address and the number of others. */
export class Blocks {
  private readonly found = new Map<string, Block>();

  add({ change, judgement }: JudgedChange): void {
    for (const reason of judgement.reasons) {
      if (reason.effect !== 'block') continue;
      const known = this.found.get(reason.rule_id);
      if (known === undefined) {
        this.found.set(reason.rule_id, { reason: { ...reason, path: null }, count: 1, address: change.address });
        continue;
      }
      known.count += 1;
      known.reason.level = maxLevel(known.reason.level, judgement.level);
      if (compareText(change.address, known.address) < 0) known.address = change.address;
    }
  }

  /** Highest level first; empty if nothing is blocked. */
  reasons(): Reason[] {
    const blocks = [...this.found.values()].map(({ reason, count, address }) => {
      const which = count === 1 ? address : `${address} and ${count - 1} more`;
      return { ...reason, message: `${reason.message} (${which})` };
    });
    return blocks.sort(compareReasons);
  }
}
