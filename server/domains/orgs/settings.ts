import type { OrgSettings } from './types.ts';

/** Every setting, from what an org has chosen; a later release may add settings that a stored choice knows nothing of. */
export function withDefaults(defaults: Partial<OrgSettings>, chosen: Partial<OrgSettings>): OrgSettings {
  return { ...defaults, ...chosen } as OrgSettings;
}

/** The settings that a change would really alter, sorted. */
export function changedKeys(settings: OrgSettings, changes: Partial<OrgSettings>): (keyof OrgSettings)[] {
  const keys = Object.keys(changes) as (keyof OrgSettings)[];
  return keys.filter((key) => changes[key] !== undefined && changes[key] !== settings[key]).sort();
}
