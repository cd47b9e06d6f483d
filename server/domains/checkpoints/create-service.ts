import { type ChainWalkResult, createMerkleTree, type MerkleTree, toLeaf } from '../../../engine/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db, OrgDatabase, OrgSnapshots } from '../../db/index.ts';
import type { Logger } from '../../log.ts';
import type { Signer } from './signer.ts';
import * as store from './store.ts';
import type { Checkpoint, LogTree } from './types.ts';

const REWRITTEN =
  'the audit log contradicts a checkpoint that was signed before; nothing is signed until that is resolved';

export interface CreationDeps extends Pick<ServiceDeps, 'platform_db' | 'now'> {
  db: OrgDatabase & OrgSnapshots;
  log: Pick<Logger, 'error'>;
  /** null: nothing is signed. */
  signer: Signer | null;
  /** Reads the audit chain of an organization, from its first row or after a verified one. */
  walkChain(
    trx: Db,
    org_id: string,
    onIntact: (hash: string) => void,
    after?: { seq: number; hash: string },
  ): Promise<ChainWalkResult>;
  /** Sends a checkpoint to a server of the organization, once `trx` has committed. */
  sendCheckpoint(trx: Db, checkpoint: Checkpoint, webhook_config_id: string): Promise<void>;
}

/** Signs checkpoints. It never signs one that contradicts an earlier one. */
export function createCheckpointCreation(deps: CreationDeps) {
  const { db, platform_db, signer, walkChain, sendCheckpoint, now, log } = deps;

  /** Signs the log of every organization that has grown. A log that cannot be signed does not stop the others. */
  async function createDue(): Promise<void> {
    if (signer === null) return;
    let batch = await store.listChanged(platform_db, null);
    for (; batch.length > 0; batch = await store.listChanged(platform_db, batch.at(-1)?.org_id ?? null)) {
      for (const { org_id, head_seq, size } of batch) {
        if (head_seq < size) log.error({ org_id, head_seq, size }, REWRITTEN);
        else await create(org_id).catch((err) => log.error({ err, org_id }, 'checkpoint of an audit log not created'));
      }
    }
  }

  async function create(org_id: string): Promise<void> {
    const tree = await db.snapshotInOrg(org_id, (trx) => grow(trx, org_id));
    if (tree !== null) await db.inOrg(org_id, (trx) => save(trx, org_id, tree));
  }

  /** The tree over the whole log, computed from the newest checkpoint on; null if the log is not intact. */
  async function grow(trx: Db, org_id: string): Promise<LogTree | null> {
    const latest = await store.findLatest(trx, org_id);
    const tree = latest === undefined ? undefined : resume(latest);
    if (latest === undefined || tree === undefined) return growFromStart(trx, org_id);
    const after = { seq: latest.size, hash: latest.head_hash };
    const walked = await walkChain(trx, org_id, (hash) => tree.add(toLeaf(hash)), after);
    return toLogTree(org_id, walked, { tree, is_continuation: true });
  }

  /** Undefined if the stored state is not what was signed, or was signed with keys that this deployment has no longer. */
  function resume(latest: Checkpoint & Pick<LogTree, 'subtrees'>): MerkleTree | undefined {
    if (signer?.hasSigned(latest.org_id, latest) !== true) return undefined;
    try {
      const tree = createMerkleTree(latest);
      return tree.root() === latest.root_hash ? tree : undefined;
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  async function growFromStart(trx: Db, org_id: string): Promise<LogTree | null> {
    const growing = await begin(trx, org_id);
    return growing.end(await walkChain(trx, org_id, growing.add));
  }

  /**
   * Computes the tree over a log that the caller reads from its first entry.
   *
   * @param trx the transaction that reads the log
   */
  async function begin(trx: Db, org_id: string) {
    const latest = await store.findLatest(trx, org_id);
    const tree = createMerkleTree();
    let is_continuation = latest === undefined;
    return {
      add(hash: string): void {
        tree.add(toLeaf(hash));
        if (tree.size === latest?.size) is_continuation = tree.root() === latest.root_hash;
      },
      /** @returns null if the log is empty or not intact */
      end: (walked: ChainWalkResult) => toLogTree(org_id, walked, { tree, is_continuation }),
    };
  }

  function toLogTree(
    org_id: string,
    walked: ChainWalkResult,
    { tree, is_continuation }: { tree: MerkleTree; is_continuation: boolean },
  ): LogTree | null {
    if (walked.status === 'broken') {
      log.error({ org_id, reason: walked.reason, seq: walked.broken_at_seq }, 'a broken audit log is not signed');
      return null;
    }
    if (tree.size === 0) return null;
    const hashes = { root_hash: tree.root(), head_hash: walked.head_hash, subtrees: tree.subtrees() };
    return { size: tree.size, ...hashes, is_continuation };
  }

  /**
   * Signs a tree, and sends it where the organization wants it. Does nothing for one that is signed, and for one that
   * contradicts what was signed before.
   */
  async function save(trx: Db, org_id: string, tree: LogTree): Promise<void> {
    if (signer === null) return;
    if (!tree.is_continuation) return log.error({ org_id, size: tree.size }, REWRITTEN);
    const { size, root_hash, head_hash, subtrees } = tree;
    const note = signer.sign(org_id, tree);
    const checkpoint = { org_id, size, root_hash, head_hash, note, created_at: now() };
    if (!(await store.insertCheckpoint(trx, { ...checkpoint, subtrees: [...subtrees] }))) return;
    const { webhook_config_id } = await store.findSettings(trx, org_id);
    if (webhook_config_id !== null) await sendCheckpoint(trx, checkpoint, webhook_config_id);
  }

  return { createDue, begin, save };
}

export type CheckpointCreation = ReturnType<typeof createCheckpointCreation>;
