import { InvalidInput } from '../../lib/errors.ts';
import { isTimeZone } from '../../lib/time-zone.ts';
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

/** What the contract cannot say about settings. @throws InvalidInput */
export function assertSettings({ notify_timezone }: Partial<OrgSettings>): void {
  if (notify_timezone === undefined || isTimeZone(notify_timezone)) return;
  throw new InvalidInput(
    `notify_timezone: "${notify_timezone}" is not a known time zone; use a name such as Europe/Berlin`,
  );
}
