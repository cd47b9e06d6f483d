import type { Db } from '../../db/index.ts';
import { countRows, takeNewest } from '../../db/paging.ts';
import { DELIVERY_FIELDS } from './fields.ts';
import type {
  Delivery,
  DeliveryFilter,
  DeliverySource,
  DeliveryStatus,
  ReceivedDelivery,
  WebhookProvider,
} from './types.ts';

/** The configuration with this id in any organization; undefined if it is disabled or deleted. */
export async function findReceiver(
  db: Db,
  id: string,
): Promise<{ org_id: string; provider: WebhookProvider } | undefined> {
  return db('webhook_configs').where({ id, enabled: true }).whereNull('deleted_at').first('org_id', 'provider');
}

export interface SealedSecrets {
  secret_ct: Buffer;
  prev_secret_ct: Buffer | null;
  prev_secret_until: Date | null;
}

export async function findSecrets(db: Db, orgId: string, id: string): Promise<SealedSecrets | undefined> {
  return db('webhook_configs')
    .where({ org_id: orgId, id })
    .whereNull('deleted_at')
    .first('secret_ct', 'prev_secret_ct', 'prev_secret_until');
}

/** Stores a received delivery. @returns false if it was already received */
export async function insertReceived(db: Db, orgId: string, delivery: ReceivedDelivery): Promise<boolean> {
  const inserted: unknown[] = await db('webhook_deliveries')
    .insert({ org_id: orgId, direction: 'in', ...delivery })
    .onConflict(['org_id', 'config_id', 'installation_row_id', 'provider_delivery_id'])
    .ignore()
    .returning('id');
  return inserted.length > 0;
}

/** A failed received delivery with its body; locks its row. */
export async function lockFailed(
  db: Db,
  orgId: string,
  { config_id, installation_row_id }: DeliverySource,
  provider_delivery_id: string,
): Promise<{ id: string } | undefined> {
  return db('webhook_deliveries')
    .where({ org_id: orgId, config_id, installation_row_id, provider_delivery_id, direction: 'in', status: 'failed' })
    .whereNotNull('payload_ct')
    .forUpdate()
    .first('id');
}

export type UnsettledDelivery = DeliverySource & {
  id: string;
  provider_delivery_id: string;
  event: string;
  payload_ct: Buffer | null;
};

export async function findUnsettled(db: Db, orgId: string, id: string): Promise<UnsettledDelivery | undefined> {
  return unsettled(db, orgId, id).first(
    'id',
    'config_id',
    'installation_row_id',
    'provider_delivery_id',
    'event',
    'payload_ct',
  );
}

/** Records the outcome of a received delivery. @returns false if it already has one */
export async function settleReceived(
  db: Db,
  orgId: string,
  id: string,
  { status, error, at }: { status: DeliveryStatus; error: string | null; at: Date },
): Promise<boolean> {
  const settled = await unsettled(db, orgId, id).update({
    status,
    error,
    attempts: db.raw('attempts + 1'),
    duration_ms: db.raw('extract(epoch from ?::timestamptz - begun_at) * 1000', [at]),
    next_attempt_at: null,
    finished_at: at,
  });
  return settled > 0;
}

/**
 * Postpones the next queue entry of a received delivery. @returns when its processing began; undefined if it is settled
 */
export async function postpone(db: Db, orgId: string, id: string, until: Date): Promise<Date | undefined> {
  const [row]: { begun_at: Date }[] = await unsettled(db, orgId, id)
    .update({ next_attempt_at: until })
    .returning('begun_at');
  return row?.begun_at;
}

function unsettled(db: Db, orgId: string, id: string) {
  return db('webhook_deliveries').where({ org_id: orgId, id, direction: 'in', status: 'accepted', finished_at: null });
}

/** Due deliveries of all organizations, oldest first. */
export async function listDue(
  db: Db,
  status: DeliveryStatus,
  now: Date,
  limit: number,
): Promise<{ id: string; org_id: string }[]> {
  return db('webhook_deliveries')
    .where('next_attempt_at', '<=', now)
    .where({ status })
    .orderBy('next_attempt_at')
    .limit(limit)
    .select('id', 'org_id');
}

export async function findDelivery(db: Db, orgId: string, id: string): Promise<Delivery | undefined> {
  return db('webhook_deliveries')
    .where({ org_id: orgId, id })
    .first(...DELIVERY_FIELDS);
}

/** One page of the deliveries of a configuration, newest first, and the total. */
export async function listDeliveries(
  db: Db,
  orgId: string,
  { config_id, direction }: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<{ deliveries: Delivery[]; total: number }> {
  const matching = db('webhook_deliveries').where({ org_id: orgId, config_id });
  if (direction !== undefined) matching.where({ direction });
  const deliveries: Delivery[] = await takeNewest(matching, page).select(...DELIVERY_FIELDS);
  return { deliveries, total: await countRows(matching) };
}

/** @returns how many went; at most `limit` */
export async function deleteDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const old = db('webhook_deliveries').where('created_at', '<', before).limit(limit).select('id');
  return db('webhook_deliveries').whereIn('id', old).delete();
}
