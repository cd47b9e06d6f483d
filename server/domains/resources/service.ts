import { createEnricher, type EnricherDeps } from './enrich-service.ts';
import { createPlanLinks } from './links-service.ts';
import { createInventoryViews, type InventoryViewsDeps } from './list-service.ts';
import { createLiveFacts, type LiveFactsDeps } from './live-facts-service.ts';

export type ResourcesDeps = InventoryViewsDeps & EnricherDeps & LiveFactsDeps;

/** The live inventory of an organization, and the plans that change it. */
export function createResources(deps: ResourcesDeps) {
  const planLinks = { ...createPlanLinks(deps), findLive: createLiveFacts(deps).find };
  return { ...createInventoryViews(deps), ...createEnricher(deps), planLinks };
}

export type Resources = ReturnType<typeof createResources>;
export type PlanLinks = Resources['planLinks'];
