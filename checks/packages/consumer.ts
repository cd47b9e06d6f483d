/** An example program that uses the SDK; compiled outside this repository, as an ES module and as CommonJS. */
import { createClient, isApiError, type Schemas } from '@dpa/sdk';

declare const process: { env: Record<'DPA_URL' | 'DPA_TOKEN' | 'SLUG', string>; exitCode?: number };

const database = { identifier: 'main', engine: 'postgres', allocated_storage: 20 };
const plan = {
  format_version: '1.2',
  terraform_version: '1.11.4',
  resource_changes: [
    {
      address: 'aws_db_instance.main',
      mode: 'managed',
      type: 'aws_db_instance',
      name: 'main',
      provider_name: 'registry.terraform.io/hashicorp/aws',
      change: { actions: ['delete'], before: database, after: null },
    },
  ],
};

const { DPA_URL, DPA_TOKEN, SLUG } = process.env;
const dpa = createClient({ base_url: DPA_URL, token: DPA_TOKEN });

/** Never called: the compiler must reject it. */
export const misspelled = () =>
  // @ts-expect-error the contract has no such operation
  dpa.call('getOrgg', { path: { id: '' } });

async function main(): Promise<void> {
  const org: Schemas['Org'] = await dpa.call('createOrg', { body: { slug: SLUG, display_name: 'Consumer' } });
  const again: unknown = await dpa
    .call('createOrg', { body: { slug: SLUG, display_name: 'Consumer' } })
    .catch((error: unknown) => error);
  const verdict = await dpa.analyze({ org_id: org.id, plan });
  const refused_with = isApiError(again) ? again.status : null;
  console.log(JSON.stringify({ org_id: org.id, risk_level: verdict.risk_level, refused_with }));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
