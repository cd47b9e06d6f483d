import { toPathNode } from '../changes/path-node.ts';
import { createPathTree, createTouchTest, type PathTree } from '../changes/path-tree.ts';
import type { ResourceChange } from '../changes/types.ts';
import type { PlanHeader, RawRelevantAttribute } from '../plan/types.ts';
import type { JudgedChange } from './ranking.ts';

type Path = RawRelevantAttribute['attribute'];

/** What the plan was computed from: the attributes that expressions of the configuration read. */
export class RelevantAttributes {
  private readonly paths = new Map<string, Path[]>();
  private readonly trees = new Map<string, PathTree | null>();

  add({ resource, attribute }: RawRelevantAttribute): void {
    const known = this.paths.get(resource);
    if (known === undefined) this.paths.set(resource, [attribute]);
    else known.push(attribute);
  }

  get isEmpty(): boolean {
    return this.paths.size === 0;
  }

  /** Whether a leaf that drifted is read, holds what is read, or lies within it; of what is gone any reading counts. */
  matches(change: ResourceChange): boolean {
    const addresses = this.collectAddresses(change);
    if (addresses.length === 0) return false;
    if (change.action === 'delete') return true;
    return addresses.some((address) => {
      const isRead = createTouchTest(this.findTree(address));
      return change.diffs.some((diff) => isRead(toPathNode(diff)));
    });
  }

  /** Expressions that cannot be resolved speak of every resource: what they read is put in order once. */
  private findTree(address: string): PathTree | null {
    let tree = this.trees.get(address);
    if (tree === undefined) {
      tree = createPathTree(this.paths.get(address) ?? []);
      this.trees.set(address, tree);
    }
    return tree;
  }

  /** An expression that reads all instances is told without an index, and one that cannot be resolved without an address. */
  private collectAddresses(change: ResourceChange): string[] {
    const addresses = new Set([change.address, toUnindexedAddress(change), '']);
    return [...addresses].filter((address) => this.paths.has(address));
  }
}

function toUnindexedAddress({ module_address, type, name }: ResourceChange): string {
  return `${module_address === null ? '' : `${module_address}.`}${type}.${name}`;
}

/** The objects that the plan does something to. */
export class PlannedObjects {
  private readonly keys = new Set<string>();
  /** Managed resources that the plan speaks of, those that stay as they are too. */
  managed_count = 0;

  observe(change: ResourceChange): void {
    if (change.mode === 'data') return;
    this.managed_count += 1;
    if (change.action === 'no-op') return;
    this.keys.add(objectKey(change));
    const { previous_address, deposed } = change;
    if (previous_address !== null) this.keys.add(objectKey({ address: previous_address, deposed }));
  }

  get isEmpty(): boolean {
    return this.keys.size === 0;
  }

  has(change: ResourceChange): boolean {
    return this.keys.has(objectKey(change));
  }
}

/** An address may have deposed objects beside its own. */
export function objectKey({ address, deposed }: Pick<ResourceChange, 'address' | 'deposed'>): string {
  return `${address}|${deposed ?? ''}`;
}

export interface DriftContext {
  header: PlanHeader;
  relevant: RelevantAttributes;
  planned: PlannedObjects;
  changes_outputs: boolean;
}

/**
 * The drift that bears on a plan, in its order: what a value of the plan was computed from, and what the plan changes in
 * its turn. All of it where the plan plans nothing, as one that only refreshes does, or is too old to tell.
 *
 * @see docs/adr/0016, for what Terraform's own view leaves out
 */
export function selectDrift(drifted: JudgedChange[], plan: DriftContext): JudgedChange[] {
  if (shouldShowAll(plan)) return drifted;
  return drifted.filter(({ change }) => plan.planned.has(change) || plan.relevant.matches(change));
}

function shouldShowAll({ header, relevant, planned, changes_outputs }: DriftContext): boolean {
  if (!hasRelevantAttributes(header.format_version)) return true;
  if (planned.managed_count === 0) return true;
  return relevant.isEmpty && planned.isEmpty && !changes_outputs;
}

/** Format 1.1, of Terraform 1.2, has `relevant_attributes` and leaves the member out where it would be empty. */
function hasRelevantAttributes(format_version: string | null): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(format_version ?? '') ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 1);
}
