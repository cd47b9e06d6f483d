import type { Reason } from '../result.ts';
import { compareReasons } from '../risk/judge.ts';
import { maxLevel } from '../risk/levels.ts';
import { compareText, type JudgedChange } from './ranking.ts';

interface Block {
  reason: Reason;
  count: number;
  /** The first address, so that the order of the plan does not matter. */
  address: string;
}

/** The policy rules that stop this plan, one reason each: how many changes they speak of, and the first of those. */
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

  /** Highest level first; empty when nothing is blocked. */
  reasons(): Reason[] {
    const blocks = [...this.found.values()].map(({ reason, count, address }) => {
      const which = count === 1 ? address : `${address} and ${count - 1} more`;
      return { ...reason, message: `${reason.message} (${which})` };
    });
    return blocks.sort(compareReasons);
  }
}
