/** What a rule for one chosen difference says. */
import type { Choice } from './dialog-state.ts';
import type { ExplainedDrift } from './posture-blocks.ts';

type Item = ExplainedDrift['items'][number];
type Chosen = { choice: Choice; item: Item };

/** The conditions of a drift ignore rule, as the drift domain takes them. */
export interface Conditions {
  drift_types: Item['drift_type'][];
  address?: string;
  provider_resource_id?: string;
  resource_type?: string;
}

/** A resource of the code is named by its address, and one that no state declares by its ID in the cloud. */
export function toConditions({ choice, item }: Chosen): Conditions {
  const drift_types = [item.drift_type];
  if (choice.scope === 'type') return { drift_types, resource_type: findType(item) };
  if (item.resource_address !== null) return { drift_types, address: item.resource_address };
  return { drift_types, provider_resource_id: item.provider_resource_id ?? '' };
}

/** Whether a rule can name the difference, and none does yet. */
export function isIgnorable({ suppressed, resource_address, provider_resource_id }: Item): boolean {
  return !suppressed && (resource_address ?? provider_resource_id) !== null;
}

export function findType({ resource_type, provider_type, normalized_type }: Item): string {
  return resource_type ?? provider_type ?? normalized_type;
}

export function nameItem({ resource_address, name, provider_resource_id, ...rest }: Item): string {
  return resource_address ?? name ?? provider_resource_id ?? rest.normalized_type;
}

/** What is ignored, in a few words. */
export function describeChosen({ choice, item }: Chosen): string {
  return choice.scope === 'one' ? nameItem(item) : `every ${findType(item)} with the drift "${item.drift_type}"`;
}
