import type { JsonValue } from '../../../engine/model/result.ts';

/** A plan that can be built in any size. */
export interface Shape {
  /** The resource type or part of the plan, followed by the dimension that grows. */
  name: string;
  /** The text of a plan with `count` repetitions. */
  build(count: number): string;
}

export interface Sides {
  before: JsonValue;
  after: JsonValue;
  more?: { [member: string]: JsonValue };
}

export type Actions = 'create' | 'update' | 'delete' | 'replace';

const ACTIONS: Record<Actions, string[]> = {
  create: ['create'],
  update: ['update'],
  delete: ['delete'],
  replace: ['delete', 'create'],
};

/** Entry number `i` of `resource_changes`, with the given values before and after. */
export function buildChangeEntry(type: string, i: number, action: Actions, sides: Sides): JsonValue {
  return {
    address: `${type}.a[${i}]`,
    mode: 'managed',
    type,
    name: 'a',
    index: i,
    provider_name: `registry.terraform.io/hashicorp/${type.split('_')[0]}`,
    change: {
      actions: ACTIONS[action],
      before: action === 'create' ? null : sides.before,
      after: action === 'delete' ? null : sides.after,
      ...sides.more,
    },
  };
}

/** The text of a plan with these top-level members. */
export function buildPlan(members: { [member: string]: JsonValue }): string {
  return JSON.stringify({ format_version: '1.2', terraform_version: '1.11.4', ...members });
}

/** The text of a plan that changes one resource. */
export function buildChangePlan(type: string, action: Actions, sides: Sides): string {
  return buildPlan({ resource_changes: [buildChangeEntry(type, 0, action, sides)] });
}

/** `count` values, built from consecutive numbers starting at `from`. */
export function buildMany<T>(count: number, make: (i: number) => T, from = 0): T[] {
  return Array.from({ length: count }, (_, i) => make(from + i));
}

/** The largest count whose plan has at most `bytes` bytes, estimated from two smaller plans. */
export function computeCount(shape: Shape, bytes: number): number {
  const [few, more] = [64, 256];
  const [short, long] = [shape.build(few).length, shape.build(more).length];
  const each = Math.max((long - short) / (more - few), 0.01);
  const count = Math.max(1, Math.floor(few + (bytes - short) / each));
  // Numbers have more digits at higher counts.
  const length = shape.build(count).length;
  return length <= bytes ? count : Math.max(1, Math.floor((count * bytes * 0.99) / length));
}
