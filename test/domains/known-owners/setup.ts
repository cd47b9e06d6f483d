import { createKnownOwners, type KnownOwners } from '../../../server/domains/known-owners/index.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { type OrgsUnderTest, setUpOrgs } from '../orgs/setup.ts';

export interface KnownOwnersUnderTest extends OrgsUnderTest {
  knownOwners: KnownOwners;
  makeOwner(plan?: 'free' | 'team' | 'enterprise'): Promise<{ owner: Principal; org: string }>;
  /** An analysis that ends now and saw these owners. */
  analyze(org: string, owners: readonly string[]): Promise<void>;
}

export async function setUpKnownOwners(): Promise<KnownOwnersUnderTest> {
  const base = await setUpOrgs();
  const { database, clock, orgs, audit } = base;
  const knownOwners = createKnownOwners({ db: database.db, orgs, audit, now: () => clock.now });

  async function makeOwner(plan: 'free' | 'team' | 'enterprise' = 'free') {
    const owner = await makeUser(database.admin_db);
    return { owner, org: await makeOrg(database.admin_db, { owner, plan }) };
  }

  async function analyze(org: string, owners: readonly string[]) {
    await database.db.inOrg(org, (trx) => knownOwners.learn(trx, org, owners, clock.now));
  }

  return { ...base, knownOwners, makeOwner, analyze };
}
