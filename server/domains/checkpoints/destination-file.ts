/** The files that a destination gets. */
import type { Checkpoint, Target } from './types.ts';

/** Digits of the largest number of entries, so that the names sort like the numbers. */
const SIZE_DIGITS = 16;
const MINUTE_MS = 60_000;
const LONGEST_DELAY_MS = 6 * 60 * MINUTE_MS;
const MOST_DOUBLINGS = 10;

export interface TargetFile {
  path: string;
  text: string;
  /** Message of the commit. */
  message: string;
}

/** The same checkpoint always has the same path, so that one that is sent twice is stored once. */
export function toCheckpointFile({ folder }: Target, { org_id, size, note }: Checkpoint): TargetFile {
  const path = `${folder}/${org_id}/${String(size).padStart(SIZE_DIGITS, '0')}.txt`;
  return { path, text: note, message: `Add the audit log checkpoint of ${size} entries` };
}

/** A file that says what the others are. Sending it tests the destination before there is a checkpoint. */
export function toReadme({ folder }: Target, org_id: string): TargetFile {
  const text = `# Checkpoints of an audit log

Each file is a signed state of the audit log of the organization ${org_id}. Its name is the number of entries that it
fixes. Anyone who has one of these files can prove later whether an entry up to it was changed or removed:

    dpa audit verify DUMP --checkpoint FILE --key KEY

Get KEY from the settings of the organization, and keep it somewhere else. The files are in the format of
https://c2sp.org/tlog-checkpoint, so that other tools can verify them, too.
`;
  return { path: `${folder}/${org_id}/README.md`, text, message: 'Describe the audit log checkpoints' };
}

/**
 * When to try again: after one minute, then later and later, at most six hours, and not before the other side wants it.
 *
 * @param failures in a row before this one
 */
export function nextAttempt(failures: number, retry_after_s: number | null, now: Date): Date {
  const delay_ms = Math.min(MINUTE_MS * 2 ** Math.min(failures, MOST_DOUBLINGS), LONGEST_DELAY_MS);
  const asked_ms = Math.min((retry_after_s ?? 0) * 1_000, LONGEST_DELAY_MS);
  return new Date(now.getTime() + Math.max(delay_ms, asked_ms));
}
