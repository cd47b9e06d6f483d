import { createFolderStore } from '../../../server/adapters/blob/folder.ts';
import { openPackDraft } from '../../../server/adapters/pack-archive/index.ts';
import { createSummaryRenderer } from '../../../server/adapters/pack-pdf/index.ts';
import type { SummaryDocument } from '../../../server/adapters/pack-pdf/types.ts';
import { openDatabase, openOrgDatabase } from '../../../server/db/index.ts';
import { createVerifier } from '../../../server/domains/audit/verify-service.ts';
import { createCheckpointCreation } from '../../../server/domains/checkpoints/create-service.ts';
import { createSigner, type SigningSettings } from '../../../server/domains/checkpoints/signer.ts';
import { createCompliancePacks } from '../../../server/domains/compliance-packs/index.ts';
import type { Plan } from '../../../server/lib/errors.ts';
import { createLogger } from '../../../server/log.ts';

export interface ProcessOptions {
  /** As in DATABASE_URL. */
  url: string;
  /** The folder of the object store. */
  blob_root: string;
  plan?: Plan;
  pdf?: boolean;
  now?: () => Date;
  heartbeat_ms?: number;
  /**
   * Called before each step of a build: `open findings.csv`, `write findings.csv`, `finish`, `put`, `read back`, `end` in
   * the transaction that ends it. Its error is that of the step.
   */
  onStep?: (step: string) => void | Promise<void>;
  /** Signs the audit log; by default nothing is signed. */
  signing?: SigningSettings;
  /** Replaces the signing of URLs, which a folder cannot do. */
  presign?: ReturnType<typeof createFolderStore>['presign'];
}

/** Packs as one process of the service has them. The queue, the notifications and the audit log are lists. */
export function startPacksProcess(options: ProcessOptions) {
  const { url, blob_root, plan = 'enterprise', pdf = true, now = () => new Date(), heartbeat_ms = 1_000 } = options;
  const { onStep = () => {}, presign, signing } = options;
  const log = createLogger({ log_level: 'silent' });
  const tenants = openOrgDatabase({ url, max: 4, log });
  const platform = openDatabase({ url, max: 2, log });
  const sweeper = openDatabase({ url, role: 'app_sweeper', max: 1, log });
  const databases = { db: tenants.db, platform_db: platform.db, sweep_db: sweeper.db };
  const queued: { id: string; at?: Date }[] = [];
  const ended: string[] = [];
  const documents: SummaryDocument[] = [];
  const warnings: unknown[] = [];
  const audited: { action: string; detail: unknown }[] = [];
  const blobs = createFolderStore(blob_root);
  const renderer = createSummaryRenderer();
  async function render(document: SummaryDocument): Promise<Uint8Array> {
    documents.push(document);
    return renderer(document);
  }
  const { walkChain } = createVerifier({ ...databases, now });
  const checkpoints = createCheckpointCreation({
    ...databases,
    signer: signing === undefined ? null : createSigner(signing),
    walkChain,
    sendCheckpoint: async () => {},
    log: { error: (fields: unknown) => void warnings.push(fields) },
    now,
  });
  const packs = createCompliancePacks({
    ...databases,
    blobs: {
      ...blobs,
      ...(presign && { presign }),
      async putFile(key, path) {
        await onStep('put');
        return blobs.putFile(key, path);
      },
      async open(key) {
        await onStep('read back');
        return blobs.open(key);
      },
    },
    checkpoints,
    audit: { walkChain, record: async ({ action, detail }) => void audited.push({ action, detail }) },
    orgs: {
      assertFeature: async () => {},
      getContract: async () => ({ slug: 'acme', plan, overrides: {} }),
    },
    openDraft: async () => reportSteps(await openPackDraft(), onStep),
    renderSummary: pdf ? render : null,
    describeLocation: ({ id }) => `s3://states/${id}`,
    enqueue: async (_trx, { id }) => void queued.push({ id }),
    enqueueAt: async (_trx, { id }, at) => void queued.push({ id, at }),
    async onEnded(_trx, { id }) {
      await onStep('end');
      ended.push(id);
    },
    random: () => 0.5,
    heartbeat_ms,
    now,
    log: { warn: (fields: unknown) => void warnings.push(fields) },
  });
  return {
    ...packs,
    blobs,
    queued,
    ended,
    /** What each summary.pdf shows. */
    documents,
    warnings,
    audited,
    /** Lets a finished pack be built again, as if its first attempt had not ended. */
    async reopen({ org_id, id }: { org_id: string; id: string }) {
      const open = { status: 'pending', artifact_key: null, artifact_bytes: null, artifact_sha256: null };
      await tenants.db.inOrg(org_id, async (trx) => {
        await trx('audit_exports')
          .where({ org_id, id })
          .update({ ...open, finished_at: null });
      });
    },
    async close() {
      await Promise.all([tenants.close(), platform.close(), sweeper.close()]);
    },
  };
}

function reportSteps(draft: Awaited<ReturnType<typeof openPackDraft>>, onStep: (step: string) => void | Promise<void>) {
  return {
    ...draft,
    async open(name: string) {
      await onStep(`open ${name}`);
      const entry = await draft.open(name);
      return {
        ...entry,
        async write(content: string | Uint8Array) {
          await onStep(`write ${name}`);
          return entry.write(content);
        },
      };
    },
    async finish(modified_at: Date) {
      await onStep('finish');
      return draft.finish(modified_at);
    },
  };
}
