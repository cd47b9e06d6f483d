import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ByteStream } from '../../contract/byte-stream.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { Conflict, Gone, StorageUnavailable } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { packFilename } from './names.ts';
import type { Artifact, Pack } from './types.ts';

const URL_SECONDS = 60;

export interface ArtifactStore {
  size(key: string): Promise<number | undefined>;
  open(key: string): Promise<Readable | undefined>;
  presign(key: string, options: { seconds: number; filename: string }): Promise<string | null>;
}

export interface DownloadDeps extends Pick<ServiceDeps, 'db' | 'log'> {
  orgs: Pick<Orgs, 'getContract'>;
  audit: Pick<AuditWriter, 'record'>;
  blobs: ArtifactStore;
}

/** How a caller gets the file: from a URL, or as bytes. */
export type Download = { artifact_sha256: string } & (
  | { url: string }
  | { url: null; filename: string; artifact_bytes: number; file: ByteStream }
);

export function createDownloads({ db, orgs, audit, blobs, log }: DownloadDeps) {
  /**
   * Opens the artifact of a pack.
   *
   * @throws Conflict `export_not_ready`; Gone `export_artifact_removed`; StorageUnavailable, also if the stored bytes
   *   are not those that were built
   */
  async function download(principal: Principal, pack: Pack): Promise<Download> {
    const artifact = getArtifact(pack);
    const { artifact_key, artifact_sha256 } = artifact;
    const actor = { org_id: pack.org_id, actor_email: principal.user.email };
    if ((await blobs.size(artifact_key)) === undefined) throw removed();
    const { slug } = await db.inOrg(pack.org_id, (trx) => orgs.getContract(trx, pack.org_id));
    const filename = packFilename(slug, pack);
    const url = await blobs.presign(artifact_key, { seconds: URL_SECONDS, filename });
    if (url !== null) {
      await audit.record({ ...actor, action: 'audit_export.presigned', detail: { export_id: pack.id } });
      return { url, artifact_sha256 };
    }
    await assertIntact(artifact);
    const detail = { export_id: pack.id, bytes: artifact.artifact_bytes };
    const onSent = () => audit.record({ ...actor, action: 'audit_export.downloaded', detail });
    const stream = await openArtifact(artifact_key);
    const file = new ByteStream({ stream, content_type: 'application/zip', onSent });
    return { url: null, filename, artifact_sha256, artifact_bytes: artifact.artifact_bytes, file };
  }

  async function openArtifact(key: string): Promise<Readable> {
    const stream = await blobs.open(key);
    if (stream === undefined) throw removed();
    return stream;
  }

  /** Reads the file once before its first byte is sent: a response that has begun cannot become an error. */
  async function assertIntact({ artifact_key, artifact_sha256 }: Artifact): Promise<void> {
    const found = await hashStream(await openArtifact(artifact_key));
    if (found.sha256 === artifact_sha256) return;
    log.warn({ key: artifact_key, ...found }, 'the stored file of a pack was changed');
    throw new StorageUnavailable(
      'the stored file is not the one that was built; delete the pack and request a new one',
    );
  }

  return download;
}

/** The number of bytes of a stream and their SHA-256, at constant memory. */
export async function hashStream(stream: Readable): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(stream, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  });
  return { bytes, sha256: hash.digest('hex') };
}

function getArtifact({ status, artifact_key, artifact_bytes, artifact_sha256 }: Pack): Artifact {
  if (status === 'expired') throw removed();
  if (artifact_key === null || artifact_bytes === null || artifact_sha256 === null) throw notReady(status);
  return { artifact_key, artifact_bytes, artifact_sha256 };
}

function notReady(status: Pack['status']): Conflict {
  const reason =
    status === 'error'
      ? 'the build of the pack has failed; request a new one'
      : `the pack is ${status}; download it when its status is done`;
  return new Conflict(reason, 'export_not_ready', { reason: `the status is ${status}` });
}

function removed(): Gone {
  return new Gone('the file of the pack has expired or was removed; request a new pack', 'export_artifact_removed');
}
