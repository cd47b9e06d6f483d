import type { Db } from '../../db/index.ts';
import type { Breaker } from './breaker.ts';
import type { LlmProvider } from './types.ts';

const COLUMNS = ['failed_at', 'open_until', 'open_ms', 'probe_until'] as const;

export async function findBreaker(db: Db, orgId: string, provider: LlmProvider): Promise<Breaker | undefined> {
  return db('llm_breakers')
    .where({ org_id: orgId, provider })
    .first(...COLUMNS);
}

/** The breaker, created if there is none, locked until the transaction ends. */
export async function lockBreaker(db: Db, orgId: string, provider: LlmProvider): Promise<Breaker> {
  const [row] = await db('llm_breakers')
    .insert({ org_id: orgId, provider })
    .onConflict(['org_id', 'provider'])
    .merge(['provider'])
    .returning(COLUMNS as unknown as string[]);
  return row as Breaker;
}

export async function setBreaker(db: Db, orgId: string, provider: LlmProvider, breaker: Breaker): Promise<void> {
  await db('llm_breakers').where({ org_id: orgId, provider }).update(breaker);
}

/** Takes the only probe of a half-open breaker; false if it is open or another caller has the probe. */
export async function takeProbe(
  db: Db,
  orgId: string,
  provider: LlmProvider,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const taken = await db('llm_breakers')
    .where({ org_id: orgId, provider })
    .where('open_until', '<=', now)
    .whereRaw('(probe_until is null or probe_until <= ?)', [now])
    .update({ probe_until: until });
  return taken === 1;
}

export async function endProbe(db: Db, orgId: string, provider: LlmProvider): Promise<void> {
  await db('llm_breakers').where({ org_id: orgId, provider }).update({ probe_until: null });
}

/** Closes the breaker of one provider, or of all. */
export async function deleteBreakers(db: Db, orgId: string, provider?: LlmProvider): Promise<void> {
  await db('llm_breakers')
    .where({ org_id: orgId, ...(provider === undefined ? {} : { provider }) })
    .delete();
}
