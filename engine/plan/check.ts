import { type EntryVisitor, PlanMembers } from './members.ts';
import { createSource } from './source.ts';
import type { PlanLimits } from './types.ts';

/** Hears of the entries and keeps none of them. */
export const BUILDS_NOTHING: EntryVisitor = { start() {}, wants: () => false, entry() {} };

/**
 * Tells at once whether a text is a plan, by one byte scan that builds nothing: whole and well-formed JSON, nested at
 * most 200 deep, the members of a plan, a known format version, the number of changes. It does not look inside entries:
 * one that is not as Terraform writes it is found by `createPlanReader` alone.
 *
 * @throws PlanError saying what was found and what to run instead
 */
export function checkPlan(bytes: Uint8Array, limits: PlanLimits = {}): void {
  const members = new PlanMembers(BUILDS_NOTHING, limits);
  const source = createSource(members, limits.max_entry_bytes);
  source.write(bytes);
  source.end();
  members.finish();
}
