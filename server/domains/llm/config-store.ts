import { type Db, findNthNewest } from '../../db/index.ts';
import type { NthNewest } from '../../lib/hourly-limit.ts';
import { newId } from '../../lib/ids.ts';
import type { LlmProvider, StoredConfig } from './types.ts';

const SHOWN = ['provider', 'created_at', 'updated_at', 'last_validated_at'] as const;

export interface SealedConfig {
  provider: LlmProvider;
  config_ct: Buffer;
  updated_at: Date;
}

export async function findConfig(db: Db, orgId: string): Promise<StoredConfig | undefined> {
  return db('llm_configs')
    .where({ org_id: orgId })
    .first(...SHOWN);
}

export async function findSealedConfig(db: Db, orgId: string): Promise<SealedConfig | undefined> {
  return db('llm_configs').where({ org_id: orgId }).first('provider', 'config_ct', 'updated_at');
}

/** Replaces the whole record, which is not validated. @returns whether there was none before */
export async function putConfig(
  db: Db,
  orgId: string,
  { provider, config_ct, now }: { provider: LlmProvider; config_ct: Buffer; now: Date },
): Promise<{ config: StoredConfig; created: boolean }> {
  const [row] = await db('llm_configs')
    .insert({ org_id: orgId, provider, config_ct, created_at: now, updated_at: now })
    .onConflict('org_id')
    .merge({ provider, config_ct, updated_at: now, last_validated_at: null })
    .returning([...SHOWN, db.raw('xmax = 0 as created')]);
  const { created, ...config } = row as StoredConfig & { created: boolean };
  return { config, created };
}

/** The provider of the deleted record; undefined if there was none. */
export async function deleteConfig(db: Db, orgId: string): Promise<LlmProvider | undefined> {
  const [row] = await db('llm_configs').where({ org_id: orgId }).delete('provider');
  return row?.provider;
}

/** Records that the account responded, unless it was changed since `updated_at`. */
export async function setValidated(db: Db, orgId: string, updated_at: Date, now: Date): Promise<void> {
  await db('llm_configs').where({ org_id: orgId, updated_at }).update({ last_validated_at: now });
}

/** When the nth newest validation since `since` was requested; undefined if there are fewer. */
export async function findNthValidation(db: Db, orgId: string, range: NthNewest): Promise<Date | undefined> {
  return findNthNewest(db('llm_validations').where({ org_id: orgId }), range);
}

export async function insertValidation(db: Db, orgId: string, now: Date): Promise<void> {
  await db('llm_validations').insert({ id: newId(), org_id: orgId, created_at: now });
}

export async function deleteValidations(db: Db, before: Date): Promise<void> {
  await db('llm_validations').where('created_at', '<', before).delete();
}
