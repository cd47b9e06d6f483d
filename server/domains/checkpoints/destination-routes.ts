import type { Handlers } from '../../contract/operation.ts';
import type { Checkpoints } from './service.ts';
import type { Destination } from './types.ts';

type DestinationHandlers = Pick<
  Handlers,
  | 'listCheckpointDestinations'
  | 'putCheckpointBucket'
  | 'deleteCheckpointBucket'
  | 'putCheckpointRepository'
  | 'deleteCheckpointRepository'
>;

const FOLDER = 'audit-checkpoints';

export function destinationRoutes({ destinations }: Checkpoints): DestinationHandlers {
  return {
    async listCheckpointDestinations({ org }) {
      return { status: 200, body: { items: (await destinations.list(org.id)).map(destinationRecord) } };
    },

    async putCheckpointBucket({ principal, org, body }) {
      const { bucket, region, lock_mode, lock_days, endpoint = null, folder = FOLDER } = body;
      const { cloud_account_id = null, access_key = null } = body;
      const place = { kind: 's3' as const, bucket, region, endpoint, folder, lock_mode, lock_days };
      const target = { ...place, cloud_account_id, access_key_id: access_key?.access_key_id ?? null };
      const saved = await destinations.put(principal, org.id, target, access_key?.secret_access_key);
      return { status: 200, body: destinationRecord(saved) };
    },

    async deleteCheckpointBucket({ principal, org }) {
      await destinations.remove(principal, org.id, 's3');
      return { status: 204 };
    },

    async putCheckpointRepository({ principal, org, body: { webhook_config_id, branch = null, folder = FOLDER } }) {
      const target = { kind: 'git' as const, webhook_config_id, branch, folder };
      return { status: 200, body: destinationRecord(await destinations.put(principal, org.id, target)) };
    },

    async deleteCheckpointRepository({ principal, org }) {
      await destinations.remove(principal, org.id, 'git');
      return { status: 204 };
    },
  };
}

function destinationRecord(destination: Destination) {
  const { target, delivered_size, last_error, due_at, created_at, updated_at } = destination;
  return {
    kind: target.kind,
    bucket: target.kind === 's3' ? withoutKind(target) : null,
    repository: target.kind === 'git' ? withoutKind(target) : null,
    status: findStatus(destination),
    delivered_size,
    delivered_at: destination.delivered_at?.toISOString() ?? null,
    last_error,
    failed_at: destination.failed_at?.toISOString() ?? null,
    next_attempt_at: last_error === null ? null : due_at.toISOString(),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

function withoutKind<T extends { kind: unknown }>({ kind: _kind, ...place }: T): Omit<T, 'kind'> {
  return place;
}

function findStatus({ last_error, delivered_size }: Destination): 'waiting' | 'delivered' | 'failing' {
  if (last_error !== null) return 'failing';
  return delivered_size === null ? 'waiting' : 'delivered';
}
