import type { JsonObject } from '../../../../engine/model/result.ts';
import type { RawChange, RawResourceChange } from '../../../../engine/plan/types.ts';

/** One update, whether it is noise, and what else its plan contains. */
export interface NoiseCase {
  /** What changes; for a twin, why it is no noise. */
  what: string;
  is_noise: boolean;
  change: RawResourceChange;
  others: RawResourceChange[];
  members: JsonObject;
}

type Side = Record<string, unknown>;

interface Rest {
  unknown?: Side;
  /** Resources of the same plan, without changes. */
  others?: RawResourceChange[];
  /** Members of the plan beside its resources. */
  members?: JsonObject;
  /** Other members of the change, such as its actions. */
  change?: Partial<RawChange>;
}

function build(is_noise: boolean, what: string, type: string, [before, after]: [Side, Side], rest: Rest): NoiseCase {
  const { unknown = {}, others = [], members = {}, change = {} } = rest;
  const update = { ...toChange(['update'], before, after), after_unknown: unknown as JsonObject, ...change };
  return { what, is_noise, change: toEntry(type, 'subject', update), others, members };
}

/** A difference without effect. */
export function noise(what: string, type: string, before: Side, after: Side, rest: Rest = {}): NoiseCase {
  return build(true, what, type, [before, after], rest);
}

/** A real change that looks like noise. */
export function twin(what: string, type: string, before: Side, after: Side, rest: Rest = {}): NoiseCase {
  return build(false, what, type, [before, after], rest);
}

/** A resource that the plan does not change. */
export function unchanged(type: string, values: Side, mode = 'managed'): RawResourceChange {
  return toEntry(type, 'other', toChange(['no-op'], values, values), mode);
}

function toChange(actions: string[], before: Side, after: Side): RawChange {
  return { actions, before: before as JsonObject, after: after as JsonObject, after_unknown: {} };
}

function toEntry(type: string, name: string, change: RawChange, mode = 'managed'): RawResourceChange {
  const address = `${mode === 'data' ? 'data.' : ''}${type}.${name}`;
  return { address, mode, type, name, provider_name: `example.com/test/${type.split('_')[0]}`, change };
}
