import type { Category, Reason, RiskLevel } from '../result.ts';

/** What a stateful type holds, which decides how bad an update, a replace or a delete of it is. */
export type Kind = 'key' | 'container' | 'rebuildable' | 'part' | 'data';

/** Facts of the whole plan which single rules need; complete only after the last change was observed. */
export interface PlanFacts {
  /** 12-digit AWS account ids seen in the plan's own `arn`, `owner_id` and `account_id` values. */
  accounts: ReadonlySet<string>;
  /** `id`, `arn`, `name` and `bucket` values of what this plan deletes (not of guards themselves). */
  destroyed: ReadonlySet<string>;
  /** `id`, `arn`, `name` and `bucket` values of what this plan creates: nothing lies in it yet. */
  created: ReadonlySet<string>;
  /** The plan sets up a website or a content network, for which content is meant to be read by everybody. */
  publishes: boolean;
  /** The plan lifts a guard against public access: what it opens beside that is really open. */
  unguarded: boolean;
}

/** What step 3 says of one change. It also sets `direction` on the change's diffs. */
export interface AttributeFindings {
  /** kind 'attribute' or 'exposure'; at most one per rule id, at its highest level. */
  reasons: Reason[];
  /** At least one reason is a weakening at level high or above (the noise guard and E2 ask this). */
  weakens_high: boolean;
}

export interface Judgement {
  level: RiskLevel;
  categories: Category[];
  reasons: Reason[];
  /** Counts for E1: a delete or replace that is not versioned, a link, deposed, or discounted to none. */
  destructive: boolean;
  /** It destroys something for good or weakens a protection gravely: no discount and no cap may hide that. */
  guarded: boolean;
  /** Counts for E2: it weakens a protection gravely, and no policy has said that this is all right. */
  weakens_high: boolean;
}
