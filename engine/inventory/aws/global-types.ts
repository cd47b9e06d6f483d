import { GLOBAL_SERVICES, GLOBAL_TYPES } from './data/global-services.ts';

/** The region that answers for a type without regions; null if each region has its own list. */
export function findGlobalTypeRegion(provider_type: string): string | null {
  const service = provider_type.split('::')[1] ?? '';
  return GLOBAL_TYPES[provider_type] ?? GLOBAL_SERVICES[service] ?? null;
}
