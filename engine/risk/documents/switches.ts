/** Judges switches in settings that stop something that runs by itself: schedules, jobs, backups, consumers. */
import type { MaybeJson } from '../../changes/values.ts';
import { splitWords } from '../../effects/words.ts';
import { readSwitch } from '../meaning/switch.ts';
import type { SettingFinding } from './settings.ts';

const OFF = new Set(splitWords('disabled disable suspend suspended paused pause off skip'));
const ON = new Set(splitWords('enabled enable active run running'));
const BACKUPS = new Set(
  splitWords('backup backups snapshot snapshots velero restic dump archive archiving replication pitr wal'),
);
const RUNS = new Set(
  splitWords(
    'schedule schedules scheduler cron cronjob job jobs timer nightly daily hourly weekly billing settlement payout sync ' +
      'reconcile reconciliation cleanup rotation rotator renewal certbot updater scanner scan scans trigger webjobs worker',
  ),
);
/** Switches of a part or a view of a thing. */
const PARTS = new Set(
  splitWords('verbose debug ui dashboard metric metrics telemetry test tests example history annotation'),
);

/** Judges a setting that turns off, or on again, what its path names. */
export function judgeSwitchedOff(words: readonly string[], before: MaybeJson, after: MaybeJson): SettingFinding | null {
  const last = words.at(-1) ?? '';
  if ((!OFF.has(last) && !ON.has(last)) || words.some((word) => PARTS.has(word))) return null;
  const around = words.slice(0, -1);
  const is_backup = around.some((word) => BACKUPS.has(word));
  if (!is_backup && !around.some((word) => RUNS.has(word))) return null;
  const [was, is] = [readRunning(before, last), readRunning(after, last)];
  if (is === undefined || was === is || (was === undefined && (is || ON.has(last)))) return null;
  if (is) return { level: 'low', direction: 'strengthening', consequence: 'It runs again' };
  const consequence = is_backup ? 'Backups no longer run' : 'What runs on a schedule no longer runs';
  return { level: is_backup ? 'high' : 'medium', direction: 'weakening', consequence };
}

function readRunning(value: MaybeJson, last: string): boolean | undefined {
  const state = readSwitch(value);
  return state === undefined ? undefined : state === ON.has(last);
}
