import { Readable } from 'node:stream';
import { ByteStream } from '../../contract/byte-stream.ts';
import type { Handlers } from '../../contract/operation.ts';
import { type BaseUrls, servicePage } from '../../lib/web-links.ts';
import type { Checkpoints } from './service.ts';
import type { Checkpoint, CheckpointSettings } from './types.ts';

type CheckpointHandlers = Pick<
  Handlers,
  | 'listAuditCheckpoints'
  | 'getCheckpointSettings'
  | 'putCheckpointSettings'
  | 'getPublicCheckpoint'
  | 'getPublicCheckpointKey'
>;

export function checkpointRoutes(checkpoints: Checkpoints, base_urls: BaseUrls): CheckpointHandlers {
  function settingsRecord(org_id: string, { public_handle, webhook_config_id }: CheckpointSettings) {
    const { signer } = checkpoints;
    const signing = signer && { origin: signer.origin(org_id), verifier_keys: signer.verifierKeys(org_id) };
    const path = `/api/v2/audit-checkpoints/${public_handle}`;
    const public_url = public_handle === null ? null : servicePage(base_urls, path);
    return { signing, public: public_handle !== null, public_url, webhook_config_id };
  }

  return {
    async listAuditCheckpoints({ org, query }) {
      const { limit, offset } = query;
      const { checkpoints: items, total } = await checkpoints.list(org.id, { limit, offset });
      return { status: 200, body: { items: items.map(checkpointRecord), total }, page: { total, limit, offset } };
    },

    async getCheckpointSettings({ org }) {
      return { status: 200, body: settingsRecord(org.id, await checkpoints.settings.get(org.id)) };
    },

    async putCheckpointSettings({ principal, org, body }) {
      const { public: is_public, webhook_config_id } = body;
      const settings = await checkpoints.settings.put(principal, org.id, { is_public, webhook_config_id });
      return { status: 200, body: settingsRecord(org.id, settings) };
    },

    async getPublicCheckpoint({ path, query }) {
      const { note } = await checkpoints.getPublic(path.handle, query.size);
      return { status: 200, body: toText(note) };
    },

    async getPublicCheckpointKey({ path }) {
      const lines = await checkpoints.getPublicKeys(path.handle);
      return { status: 200, body: toText(lines.map((line) => `${line}\n`).join('')) };
    },
  };
}

function toText(text: string): ByteStream {
  const stream = Readable.from([Buffer.from(text)]);
  return new ByteStream({ stream, content_type: 'text/plain; charset=utf-8', onSent: async () => {} });
}

function checkpointRecord({ size, root_hash, head_hash, note, created_at }: Checkpoint) {
  return { size, root_hash, head_hash, note, created_at: created_at.toISOString() };
}
