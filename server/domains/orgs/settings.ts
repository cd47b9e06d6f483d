import type { OrgSettings } from './types.ts';

/** All settings, from the stored ones and defaults; a later release may add settings that are not stored yet. */
export function withDefaults(defaults: Partial<OrgSettings>, chosen: Partial<OrgSettings>): OrgSettings {
  return { ...defaults, ...chosen } as OrgSettings;
}

/** The settings that a change would modify, sorted. */
export function changedKeys(settings: OrgSettings, changes: Partial<OrgSettings>): (keyof OrgSettings)[] {
  const keys = Object.keys(changes) as (keyof OrgSettings)[];
  return keys.filter((key) => changes[key] !== undefined && changes[key] !== settings[key]).sort();
}
