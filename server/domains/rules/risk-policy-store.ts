import type { PolicyRule } from '../../../engine/rules/index.ts';
import type { Db } from '../../db/index.ts';
import type { RiskPolicy } from './types.ts';

const NONE: RiskPolicy = { version: 0, rules: [], updated_at: null, updated_by: null };

/** The newest version, which is the current one. */
export async function findPolicy(db: Db, orgId: string): Promise<RiskPolicy> {
  const policy: RiskPolicy | undefined = await db('risk_policies as p')
    .join('users as u', 'u.id', 'p.updated_by')
    .where('p.org_id', orgId)
    .orderBy('p.version', 'desc')
    .first('p.version', 'p.rules', 'p.updated_at', 'u.email as updated_by');
  return policy ?? NONE;
}

export async function insertPolicy(
  db: Db,
  orgId: string,
  policy: { version: number; rules: PolicyRule[]; updated_by: string; updated_at: Date },
): Promise<void> {
  await db('risk_policies').insert({ org_id: orgId, ...policy, rules: JSON.stringify(policy.rules) });
}
