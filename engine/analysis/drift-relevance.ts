import { toPathNode } from '../changes/path-node.ts';
import { createPathTree, createTouchTest, type PathTree } from '../changes/path-tree.ts';
import type { ResourceChange } from '../changes/types.ts';
import type { PlanHeader, RawRelevantAttribute } from '../plan/types.ts';
import type { JudgedChange } from './ranking.ts';

type Path = RawRelevantAttribute['attribute'];

/** The plan's `relevant_attributes`: attributes that expressions in the configuration read. */
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

  /** Whether a drifted leaf overlaps with a relevant attribute; for a deleted resource, any attribute counts. */
  matches(change: ResourceChange): boolean {
    const addresses = this.collectAddresses(change);
    if (addresses.length === 0) return false;
    if (change.action === 'delete') return true;
    return addresses.some((address) => {
      const isRead = createTouchTest(this.findTree(address));
      return change.diffs.some((diff) => isRead(toPathNode(diff)));
    });
  }

  /** Caches one path tree per address; unresolved expressions apply to every resource. */
  private findTree(address: string): PathTree | null {
    let tree = this.trees.get(address);
    if (tree === undefined) {
      tree = createPathTree(this.paths.get(address) ?? []);
      this.trees.set(address, tree);
    }
    return tree;
  }

  /** References to all instances have no index; unresolved references have no address. */
  private collectAddresses(change: ResourceChange): string[] {
    const addresses = new Set([change.address, toUnindexedAddress(change), '']);
    return [...addresses].filter((address) => this.paths.has(address));
  }
}

function toUnindexedAddress({ module_address, type, name }: ResourceChange): string {
  return `${module_address === null ? '' : `${module_address}.`}${type}.${name}`;
}

/** Objects that the plan changes. */
export class PlannedObjects {
  private readonly keys = new Set<string>();
  /** Number of managed resources in the plan, including unchanged ones. */
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

/** Key of an object; an address can also have deposed objects. */
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
 * Drift that affects a plan, in plan order: attributes that the plan was computed from, and resources that it changes.
 * All drift if the plan changes nothing (refresh-only) or its format is too old to select.
 *
 * @see docs/adr/0016 for drift that Terraform's own output omits
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

/** Format 1.1 (Terraform 1.2) introduced `relevant_attributes` and omits it if empty. */
function hasRelevantAttributes(format_version: string | null): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(format_version ?? '') ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 1);
}
