import { SEALED_COLUMNS } from '../../../server/composition/sealed-columns.ts';
import { createColumnSealer } from '../../../server/db/index.ts';
import { type CloudAccounts, createCloudAccounts } from '../../../server/domains/cloud-accounts/index.ts';
import type { AccountInput, DeploymentIdentity } from '../../../server/domains/cloud-accounts/types.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import { createFakeClouds, toClouds } from '../../fakes/cloud/adapter.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { setUpOrgs } from '../orgs/setup.ts';

export const sealer = createSealer([Buffer.alloc(32, 7)]);

export const DEPLOYMENT: DeploymentIdentity = {
  api_url: 'https://api.example.com',
  subject: 'deployment:test',
  signs_rs256: true,
  aws_principal_arn: 'arn:aws:iam::999999999999:role/scanner',
  aws_template_url: null,
};

export const AWS_ROLE: AccountInput = {
  provider: 'aws',
  display_name: 'Production',
  external_account_id: '123456789012',
  credential_type: 'aws_role',
  credentials: { role_arn: 'arn:aws:iam::123456789012:role/readers/dpa' },
};

/** Cloud accounts with their own database and clouds in memory; the clock is fixed until it is moved. */
export async function setUpCloudAccounts() {
  const under = await setUpOrgs();
  const { database, clock, orgs, audit } = under;
  const clouds = createFakeClouds();

  /** Another instance on the same database, with its own settings or keys. */
  function instance(settings: Partial<DeploymentIdentity> = {}, keys = sealer): CloudAccounts {
    return createCloudAccounts({
      db: database.db,
      sealer: createColumnSealer(keys, SEALED_COLUMNS),
      orgs,
      audit,
      clouds: toClouds(clouds),
      deployment: { ...DEPLOYMENT, ...settings },
      onDeleted: async () => {},
      timeout_ms: 50,
      now: () => clock.now,
    });
  }

  return {
    ...under,
    clouds,
    instance,
    accounts: instance(),
    async makeOwner(plan: 'free' | 'team' = 'team'): Promise<{ owner: Principal; org: string }> {
      const owner = await makeUser(database.admin_db);
      return { owner, org: await makeOrg(database.admin_db, { owner, plan }) };
    },
    row: (id: string) => database.admin_db('cloud_accounts').where({ id }).first(),
  };
}

export type CloudAccountsUnderTest = Awaited<ReturnType<typeof setUpCloudAccounts>>;
