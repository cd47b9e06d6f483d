import { renderPath } from '../changes/path.ts';
import { toPlainDiff } from '../changes/path-node.ts';
import type { KnownLive } from '../changes/types.ts';
import type { AttributeDiff, Change, CheckFinding, DriftReversal, LiveFacts, Reason } from '../model/result.ts';
import type { Redactor } from '../redact/redactor.ts';
import { changeId } from './change-id.ts';
import type { InsideFinder } from './inside.ts';
import type { JudgedChange } from './ranking.ts';
import { chooseDiffs, cutHuge, shortenDiff } from './shorten.ts';

/** Minimum bytes of a diff without its path and values. */
const DIFF_BYTES = 250;

/**
 * Remaining bytes for attributes in the result. Changes are presented in rank order, so the lowest-ranked ones lose
 * their attributes first.
 */
export interface AttributeRoom {
  left: number;
}

export interface PresentOptions {
  reversal?: DriftReversal | null;
  /** Without it, nothing is listed inside documents. */
  findInside?: InsideFinder;
}

/**
 * Converts a change for the result: redacted and shortened. Names are redacted too, because a `for_each` key may
 * contain a sensitive value.
 *
 * @see openapi.yaml, Change
 */
export function presentChange(
  { change, judgement, noise }: JudgedChange,
  redactor: Redactor,
  room: AttributeRoom,
  { reversal = null, findInside = () => undefined }: PresentOptions = {},
): Change {
  const text = redactor.redactText;
  const { level, categories } = judgement;
  const total = change.diffs.length;
  change.diffs = room.left > 0 ? chooseDiffs(change.diffs, judgement.reasons).map(cutHuge) : [];
  const shown = redactor.redactChange(change).map(toPlainDiff);
  for (const { path } of shown) room.left -= DIFF_BYTES + 2 * path.length;
  return {
    id: changeId(change),
    address: text(change.address),
    previous_address: orNull(change.previous_address, text),
    module_address: orNull(change.module_address, text),
    mode: change.mode,
    type: change.type,
    name: text(change.name),
    index: typeof change.index === 'string' ? text(change.index) : change.index,
    deposed: change.deposed,
    provider: change.provider,
    provider_name: change.provider_name,
    actions: change.actions,
    action: change.action,
    action_label: change.action_label,
    action_reason: change.action_reason,
    replace_paths: change.replace_paths.map((path) => text(renderPath(path))),
    importing: change.importing === null ? null : { id: text(change.importing.id) },
    categories,
    risk: {
      level,
      deterministic_level: level,
      raised_by: null,
      guarded: judgement.guarded,
      reasons: judgement.reasons.map((reason) => presentReason(reason, text)),
    },
    attributes: shown.map((diff) => presentDiff(diff, findInside)),
    attributes_total: total,
    attributes_truncated: shown.length < total,
    // All sensitive values are known only now: an earlier digest may contain one.
    noise:
      shown.length < Math.min(total, 1) || shown.some((diff) => diff.scrubbed) ? { ...noise, fingerprints: [] } : noise,
    reverts_drift: reversal === null ? null : { ...reversal, paths: reversal.paths.map(text) },
    live_resource_id: null,
    ...(change.live === undefined ? {} : { live: presentLive(change.live, text) }),
  };
}

/** Looks inside documents before they are shortened, and after secrets are withheld. */
function presentDiff(diff: AttributeDiff, findInside: InsideFinder): AttributeDiff {
  const inside = findInside(diff);
  const shown = shortenDiff(diff);
  return inside === undefined ? shown : { ...shown, inside };
}

/** The names of attributes, and settings that a rule quotes, come from scans; the plan may mark the same text as sensitive. */
function presentLive({ as_of, drift, exposure }: KnownLive, redactText: (text: string) => string): LiveFacts {
  const shown = { as_of, drift: null, exposure: exposure && { ...exposure, message: redactText(exposure.message) } };
  if (drift === null) return shown;
  const { attributes: _, ...facts } = drift;
  return { ...shown, drift: { ...facts, paths: facts.paths.map(redactText) } };
}

/** Redacts a reason, which may quote the plan. */
export function presentReason(reason: Reason, redactText: (text: string) => string): Reason {
  const shown = { ...reason };
  shown.path = orNull(reason.path, redactText);
  shown.message = redactText(reason.message);
  if (reason.short_message !== undefined) shown.short_message = redactText(reason.short_message);
  return shown;
}

/** Redacts a check, whose messages may quote values. */
export function presentCheck(
  { address, status, problems }: CheckFinding,
  redactText: (text: string) => string,
): CheckFinding {
  return { address: redactText(address), status, problems: problems.map(redactText) };
}

function orNull(value: string | null, redactText: (text: string) => string): string | null {
  return value === null ? null : redactText(value);
}
