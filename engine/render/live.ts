import { plural } from '../model/counts.ts';
import { describeExposure, describeGone, describeSince, isGone } from '../model/live-texts.ts';
import type { Change } from '../model/result.ts';
import { type Cause, withNames } from './causes.ts';
import { tagsLast } from './path-rank.ts';

/** What scans found about the resource of a change: a clause with its age, and the address. */
export interface LiveText {
  clause: string;
  address: string;
}

/** Resources that are gone or public according to scans, in the order of the changes. */
export function describeLive(changes: readonly Change[]): LiveText[] {
  return changes.flatMap((change) => listClauses(change).map((clause) => ({ clause, address: change.address })));
}

/** `1 resource already public`, `2 resources already gone`; without names from the plan. */
export function countLive(changes: readonly Change[]): string[] {
  const gone = changes.filter(isGone).length;
  const open = changes.filter(({ live }) => live?.exposure).length;
  return [
    ...(open > 0 ? [`${plural(open, 'resource')} already public`] : []),
    ...(gone > 0 ? [`${plural(gone, 'resource')} already gone`] : []),
  ];
}

/** The same for the row of the change, and what differs although this apply does not undo it. */
export function describeLiveCauses(change: Change): Cause[] {
  const causes = listClauses(change).map((text): Cause => ({ text, names: [] }));
  const { live, reverts_drift } = change;
  if (!live?.drift || live.drift.drift_type === 'missing' || reverts_drift) return causes;
  const { drift, as_of } = live;
  const clause = `changed outside of IaC (${describeSince(drift, as_of)})`;
  return [...causes, withNames(clause, tagsLast(drift.paths), drift.paths_total)];
}

function listClauses(change: Change): string[] {
  const { live } = change;
  if (live === undefined) return [];
  const gone = live.drift !== null && isGone(change) ? [describeGone(live.drift, live.as_of)] : [];
  return live.exposure === null ? gone : [...gone, describeExposure(live.exposure, live.as_of)];
}
