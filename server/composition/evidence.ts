/** Compliance Packs: evidence of an organization as a file. */
import type { RenderSummary } from '../adapters/pack-pdf/types.ts';
import type { Db } from '../db/index.ts';
import { compliancePackParts, createCompliancePacks, type OpenDraft } from '../domains/compliance-packs/index.ts';
import type { RecordEvent } from '../domains/notifications/index.ts';
import type { StateSources } from '../domains/state-sources/index.ts';
import { enqueue } from '../queue/index.ts';
import type { Foundation } from './foundation.ts';
import type { Platform } from './platform.ts';

export interface EvidenceDeps {
  platform: Platform;
  stateSources: Pick<StateSources, 'describeLocation'>;
  /** Databases across organizations, for each domain that has one. */
  cross_org: { compliancePacks: { platform_db: Db; sweep_db: Db } };
  /** Opens a folder for the files of a pack. */
  openPackDraft: OpenDraft;
  /** null: packs have no summary.pdf. */
  renderSummary: RenderSummary | null;
  record: RecordEvent;
  settings: {
    /** Interval of a running job's heartbeat. */
    job_heartbeat_ms: number;
  };
}

export function createEvidence(foundation: Foundation, deps: EvidenceDeps) {
  const { platform, stateSources, cross_org, openPackDraft, renderSummary, record, settings } = deps;
  const packs = createCompliancePacks({
    ...foundation,
    ...platform,
    ...cross_org.compliancePacks,
    openDraft: openPackDraft,
    renderSummary,
    describeLocation: stateSources.describeLocation,
    enqueue: (trx, pack) => enqueue(trx, 'pack', pack),
    enqueueAt: (trx, pack, at) => enqueue(trx, 'pack', pack, { at }),
    onEnded: (trx, { org_id, id }) => record(trx, org_id, { source: 'compliance_pack', source_id: id }),
    random: Math.random,
    heartbeat_ms: settings.job_heartbeat_ms,
  });
  return { parts: [compliancePackParts(packs)] };
}
