import { describesType } from '../../../engine/drift/index.ts';
import type { LinkCandidate } from '../../../engine/index.ts';
import type { FoundLink, MatchedBy } from './types.ts';

/** An ID or an address to look up. */
export interface LookedUp {
  /** Position of its change. */
  change: number;
  matched_by: MatchedBy;
  text: string;
}

/** A resource with that ID or address. */
export interface Hit extends LookedUp {
  live_resource_id: string;
  provider_type: string;
}

/** From the strongest proof to the weakest. */
const STRENGTH: readonly MatchedBy[] = ['provider_id', 'importing', 'address'];

/** IDs that no other resource of any account has: ARN, ARM ID, path or URL, an AWS ID with its kind, UUID. */
const UNIQUE = /^arn:|^\/|\/\/|^projects\/|^[a-z]{1,20}-[0-9a-f]{8,17}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What to look up for each change. */
export function listLookups(candidates: readonly LinkCandidate[]): LookedUp[] {
  return candidates.flatMap(({ ids, import_id, address, action }, change) => [
    ...ids.map((text) => ({ change, matched_by: 'provider_id' as const, text })),
    ...(import_id === null ? [] : [{ change, matched_by: 'importing' as const, text: import_id }]),
    ...(action === 'create' ? [] : [{ change, matched_by: 'address' as const, text: address }]),
  ]);
}

/** The resource of each change; changes for which none is certain are left out. */
export function chooseLinks(candidates: readonly LinkCandidate[], hits: readonly Hit[]): FoundLink[] {
  const by_change = new Map<number, Hit[]>();
  for (const hit of hits) by_change.set(hit.change, [...(by_change.get(hit.change) ?? []), hit]);
  return candidates.flatMap(({ type, change_id, address, action, risk_level }, change) => {
    const chosen = choose(type, by_change.get(change) ?? []);
    return chosen === undefined ? [] : [{ change_id, address, action, risk_level, ...chosen }];
  });
}

/** Takes the strongest proof that names exactly one resource. Whole IDs come before names. */
function choose(type: string, hits: readonly Hit[]): Pick<FoundLink, 'live_resource_id' | 'matched_by'> | undefined {
  for (const matched_by of STRENGTH) {
    const proofs = hits.filter((hit) => hit.matched_by === matched_by);
    const unique = proofs.filter(({ text }) => matched_by !== 'address' && UNIQUE.test(text));
    const typed = proofs.filter(({ provider_type }) => describesType(type, provider_type));
    for (const group of [unique.filter((hit) => typed.includes(hit)), unique, typed]) {
      const resources = new Set(group.map(({ live_resource_id }) => live_resource_id));
      const [live_resource_id] = resources;
      if (live_resource_id !== undefined && resources.size === 1) return { live_resource_id, matched_by };
    }
  }
  return undefined;
}
