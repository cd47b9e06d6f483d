import type { Category, Reason, RiskLevel } from '../model/result.ts';
import type { Ownership } from './destinations/ownership.ts';
import type { OrderedLists } from './ordering/lists.ts';
import type { Neighbors } from './relations/neighbors.ts';
import type { Powers } from './relations/powers.ts';
import type { TagSelectors } from './relations/tags.ts';

/** What a stateful type holds, which determines the level of an update, replace or delete. */
export type Kind = 'key' | 'container' | 'rebuildable' | 'part' | 'data';

/** Facts about the whole plan that individual rules need. Complete only after the last change was observed. */
export interface PlanFacts {
  /** 12-digit AWS account ids seen in the plan's own `arn`, `owner_id` and `account_id` values. */
  accounts: ReadonlySet<string>;
  /** `id`, `arn`, `name` and `bucket` values of the resources that the plan deletes, except guards. */
  destroyed: ReadonlySet<string>;
  /** `id`, `arn`, `name` and `bucket` values of the resources that the plan creates, which are still empty. */
  created: ReadonlySet<string>;
  /** The accounts, projects, subscriptions, domains and tenants that the plan already uses. */
  owned: Ownership;
  /** The lists that rules with priorities form. */
  ordered: OrderedLists;
  /** Objects of the plan that hold administrator rights. */
  powers: Powers;
  /** Resources that others must fit. */
  neighbors: Neighbors;
  /** The tags that something in the plan selects by. */
  selectors: TagSelectors;
  /** The plan creates a website or a content delivery network, so public content is intended. */
  publishes: boolean;
  /** The plan removes a block of public access, so content that it opens becomes public. */
  unguarded: boolean;
}

/** Result of the attribute rules for one change. The rules also set `direction` on the change's diffs. */
export interface AttributeFindings {
  /** Reasons of kind `attribute` or `exposure`. At most one per rule id, at its highest level. */
  reasons: Reason[];
  /** The highest reason that weakens a protection; null if there is none. */
  weakening: Reason | null;
  /** Paths that rules have reported or given a direction. */
  judged: readonly (readonly (string | number)[])[];
}

export interface Judgement {
  level: RiskLevel;
  categories: Category[];
  reasons: Reason[];
  /** Counted by R-BLAST-MANY: a delete or replace that is not versioned, a link, deposed, or at level none. */
  destructive: boolean;
  /** The change destroys data or keys, or weakens a protection at level high or above: no discount or cap applies. */
  guarded: boolean;
  /** Counted by R-BLAST-WEAKEN: the change weakens a protection at level high or above, and no policy lowered it. */
  weakens_high: boolean;
}
