/** Evidence for outsiders: Compliance Packs, and signed checkpoints of the audit log. */
import type { LockedBuckets } from '../adapters/locked-bucket/types.ts';
import type { RenderSummary } from '../adapters/pack-pdf/types.ts';
import type { CommitOnce } from '../adapters/scm/files/types.ts';
import type { Db } from '../db/index.ts';
import {
  type Checkpoint,
  checkpointParts,
  createCheckpoints,
  type SigningSettings,
} from '../domains/checkpoints/index.ts';
import type { CloudAccounts } from '../domains/cloud-accounts/index.ts';
import { compliancePackParts, createCompliancePacks, type OpenDraft } from '../domains/compliance-packs/index.ts';
import type { RecordEvent } from '../domains/notifications/index.ts';
import type { StateSources } from '../domains/state-sources/index.ts';
import type { Webhooks } from '../domains/webhooks/index.ts';
import { enqueue } from '../queue/index.ts';
import type { Foundation } from './foundation.ts';
import type { Platform } from './platform.ts';

export interface EvidenceDeps {
  platform: Platform;
  stateSources: Pick<StateSources, 'describeLocation'>;
  /** Databases across organizations, for each domain that has one. */
  cross_org: { compliancePacks: { platform_db: Db; sweep_db: Db }; checkpoints: { platform_db: Db } };
  /** Servers of organizations. */
  webhooks: () => Pick<Webhooks, 'configs' | 'outbound'>;
  cloudAccounts: Pick<CloudAccounts, 'openAccount'>;
  /** Buckets of organizations that keep checkpoints. */
  buckets: LockedBuckets;
  /** Commits checkpoints to repositories of organizations. */
  commitOnce: CommitOnce;
  /** Opens a folder for the files of a pack. */
  openPackDraft: OpenDraft;
  /** null: packs have no summary.pdf. */
  renderSummary: RenderSummary | null;
  record: RecordEvent;
  settings: {
    /** Interval of a running job's heartbeat. */
    job_heartbeat_ms: number;
    checkpoints: {
      /** null: nothing is signed. */
      signing: SigningSettings | null;
      /** How long copies in the object store are locked; 0: not at all. */
      lock_days: number;
    };
  };
}

export function createEvidence(foundation: Foundation, deps: EvidenceDeps) {
  const { platform, stateSources, cross_org, openPackDraft, renderSummary, record, webhooks, settings } = deps;
  const checkpoints = createCheckpoints({
    ...foundation,
    ...platform,
    ...cross_org.checkpoints,
    ...settings.checkpoints,
    walkChain: platform.audit.walkChain,
    sendCheckpoint: createSending(platform, webhooks),
    sealer: foundation.columns,
    buckets: deps.buckets,
    commitOnce: deps.commitOnce,
    openAccount: deps.cloudAccounts.openAccount,
    findRepository: (org_id, id) => webhooks().configs.access(org_id, id),
    isServer: async (org_id, id) => (await webhooks().configs.get(org_id, id)).provider === 'generic',
  });
  const packs = createCompliancePacks({
    ...foundation,
    ...platform,
    ...cross_org.compliancePacks,
    openDraft: openPackDraft,
    renderSummary,
    checkpoints: checkpoints.creation,
    describeLocation: stateSources.describeLocation,
    enqueue: (trx, pack) => enqueue(trx, 'pack', pack),
    enqueueAt: (trx, pack, at) => enqueue(trx, 'pack', pack, { at }),
    onEnded: (trx, { org_id, id }) => record(trx, org_id, { source: 'compliance_pack', source_id: id }),
    random: Math.random,
    heartbeat_ms: settings.job_heartbeat_ms,
  });
  return { parts: [compliancePackParts(packs), checkpointParts(checkpoints, foundation.base_urls)] };
}

function createSending({ orgs }: Platform, webhooks: EvidenceDeps['webhooks']) {
  return async (trx: Db, checkpoint: Checkpoint, webhook_config_id: string): Promise<void> => {
    const { org_id, size, root_hash, head_hash, note, created_at } = checkpoint;
    const { slug } = await orgs.getContract(trx, org_id);
    const data = { size, root_hash, head_hash, note, created_at: created_at.toISOString() };
    await webhooks().outbound.queue(trx, org_id, webhook_config_id, {
      ...{ id: `evt_checkpoint_${size}`, type: 'audit_checkpoint.created', created_at, data },
      org: { id: org_id, slug },
    });
  };
}
