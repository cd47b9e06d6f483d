import type { ChainWalkResult } from '../../../engine/index.ts';
import type { RenderSummary } from '../../adapters/pack-pdf/types.ts';
import type { Db, OrgSnapshots } from '../../db/index.ts';
import { assertFound } from '../../lib/errors.ts';
import type { CheckpointCreation, LogTree } from '../checkpoints/index.ts';
import { writeEvidence } from './evidence-service.ts';
import * as store from './evidence-store.ts';
import { summaryDocument } from './summary.ts';
import type { SummaryFacts } from './summary-facts.ts';
import type { Attestation, OpenDraft, PackClaim, PackDraft, SourceRow } from './types.ts';
import { verifyGuide } from './verify-guide.ts';

export interface BuilderDeps {
  db: OrgSnapshots;
  openDraft: OpenDraft;
  /** null: packs have no summary.pdf. */
  renderSummary: RenderSummary | null;
  /** Reads the audit chain of an organization. */
  walkChain(trx: Db, org_id: string, onIntact: (hash: string) => void): Promise<ChainWalkResult>;
  checkpoints: Pick<CheckpointCreation, 'begin'>;
  /** Where a state source is, without credentials; null for an upload. */
  describeLocation(row: SourceRow): string | null;
}

/** `log_tree`: that of the audit log which the pack attests; null if the log is empty or not intact. */
export type BuiltPack = Awaited<ReturnType<PackDraft['finish']>> & { log_tree: LogTree | null };

/**
 * Writes packs. The bytes depend only on the claim and on the data: not on the clock, the machine, or the attempt.
 */
export function createBuilder({ db, openDraft, renderSummary, walkChain, checkpoints, describeLocation }: BuilderDeps) {
  /**
   * Builds a pack from one state of the database.
   *
   * @param use receives the ZIP, which is deleted afterwards
   * @throws NotFound if the organization was deleted; errors of `use`, of the database and of the disk
   */
  async function build<T>(claim: PackClaim, signal: AbortSignal, use: (built: BuiltPack) => Promise<T>): Promise<T> {
    const draft = await openDraft();
    try {
      const { facts, log_tree } = await db.snapshotInOrg(claim.org_id, (trx) => writeData(trx, claim, draft, signal));
      signal.throwIfAborted();
      if (renderSummary !== null) await writeFile(draft, 'summary.pdf', await renderSummary(summaryDocument(facts)));
      return await use({ ...(await draft.finish(claim.period_end)), log_tree });
    } finally {
      await draft.discard();
    }
  }

  async function writeData(
    trx: Db,
    claim: PackClaim,
    draft: PackDraft,
    signal: AbortSignal,
  ): Promise<{ facts: SummaryFacts; log_tree: LogTree | null }> {
    const { org_id, period_start, period_end, started_at } = claim;
    const snapshot = { trx, org_id, period: { period_start, period_end } };
    const org = assertFound(await store.findOrg(snapshot));
    const growing = await checkpoints.begin(trx, org_id);
    const walked = await walkChain(trx, org_id, growing.add);
    const log_tree = growing.end(walked);
    const attestation = toAttestation(claim, walked, log_tree);
    await writeFile(draft, 'chain-attestation.json', `${JSON.stringify(attestation, null, 2)}\n`);
    await writeFile(draft, 'AUDIT_LOG_VERIFY.md', verifyGuide(org, attestation));
    const context = { snapshot, org, generated_at: started_at, draft, signal, describeLocation };
    return { facts: { ...(await writeEvidence(context)), attestation }, log_tree };
  }

  return build;
}

export type BuildPack = ReturnType<typeof createBuilder>;

function toAttestation(
  { org_id, started_at }: PackClaim,
  walked: ChainWalkResult,
  log_tree: LogTree | null,
): Attestation {
  return {
    org_id,
    head_seq: walked.head_seq,
    head_hash_hex: walked.head_hash,
    tree_root_hex: log_tree?.root_hash ?? '',
    status: walked.status,
    checked: walked.checked,
    verified_at: started_at.toISOString(),
    canonical_version: 'v1',
  };
}

async function writeFile(draft: PackDraft, name: string, content: string | Uint8Array): Promise<void> {
  const entry = await draft.open(name);
  await entry.write(content);
  await entry.end();
}
