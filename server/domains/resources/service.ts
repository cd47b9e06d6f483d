import { createEnricher, type EnricherDeps } from './enrich-service.ts';
import { createPlanLinks } from './links-service.ts';
import { createInventoryViews, type InventoryViewsDeps } from './list-service.ts';

export type ResourcesDeps = InventoryViewsDeps & EnricherDeps;

/** The live inventory of an organization, and the plans that change it. */
export function createResources(deps: ResourcesDeps) {
  return { ...createInventoryViews(deps), ...createEnricher(deps), planLinks: createPlanLinks(deps) };
}

export type Resources = ReturnType<typeof createResources>;
