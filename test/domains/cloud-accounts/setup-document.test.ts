import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GRANTS } from '../../fakes/cloud/adapter.ts';
import { type CloudAccountsUnderTest, DEPLOYMENT, setUpCloudAccounts } from './setup.ts';

let under: CloudAccountsUnderTest;
let org: string;
beforeAll(async () => {
  under = await setUpCloudAccounts();
  ({ org } = await under.makeOwner());
});
afterAll(() => under.database.close());

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TOKENS = { issuer: 'https://api.example.com', subject: () => `deployment:test:org:${org}` };

async function setUpAws(accounts = under.accounts, of = org) {
  const setup = await accounts.getSetup(of, 'aws');
  if (setup.provider !== 'aws') throw new Error('not the setup of AWS');
  return setup.aws;
}

describe('the setup document', () => {
  test('AWS: principal, external ID, issuer, subject and policy', async () => {
    expect(await setUpAws()).toEqual({
      principal_arn: DEPLOYMENT.aws_principal_arn,
      external_id: expect.stringMatching(UUID_V4),
      oidc_issuer: TOKENS.issuer,
      oidc_subject: TOKENS.subject(),
      policy_document: GRANTS.aws.policy_document,
      cloudformation_url: null,
    });
  });

  test('Google Cloud and Azure: issuer, subject and roles', async () => {
    expect(await under.accounts.getSetup(org, 'gcp')).toEqual({
      provider: 'gcp',
      gcp: { issuer: TOKENS.issuer, subject: TOKENS.subject(), ...GRANTS.gcp },
    });
    expect(await under.accounts.getSetup(org, 'azure')).toEqual({
      provider: 'azure',
      azure: {
        issuer: TOKENS.issuer,
        subject: TOKENS.subject(),
        audience: 'api://AzureADTokenExchange',
        role: 'Reader',
      },
    });
  });

  test('the external ID of an organization never changes and belongs to it alone', async () => {
    const other = await under.makeOwner();

    expect((await setUpAws()).external_id).toBe((await setUpAws()).external_id);
    expect((await setUpAws(under.accounts, other.org)).external_id).not.toBe((await setUpAws()).external_id);
  });

  test('a published template becomes a link with the parameters of the organization', async () => {
    const aws_template_url = 'https://acme.s3.amazonaws.com/dpa-role.yaml';
    const { cloudformation_url, external_id } = await setUpAws(under.instance({ aws_template_url }));

    const [page, query] = (cloudformation_url ?? '').split('?');
    expect(page).toBe('https://console.aws.amazon.com/cloudformation/home#/stacks/quickcreate');
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      templateURL: aws_template_url,
      stackName: 'dpa',
      param_PrincipalArn: DEPLOYMENT.aws_principal_arn,
      param_ExternalId: external_id,
    });
  });

  test('AWS shows what the deployment has: a principal or an issuer', async () => {
    expect(await setUpAws(under.instance({ subject: null }))).toMatchObject({
      principal_arn: DEPLOYMENT.aws_principal_arn,
      oidc_issuer: null,
      oidc_subject: null,
    });
    expect(await setUpAws(under.instance({ aws_principal_arn: null }))).toMatchObject({
      principal_arn: null,
      oidc_issuer: TOKENS.issuer,
    });
  });

  test.each(['aws', 'gcp', 'azure'] as const)('%s is 503 if the deployment has no identity there', async (provider) => {
    const bare = under.instance({ api_url: null, subject: null, aws_principal_arn: null });

    await expect(bare.getSetup(org, provider)).rejects.toMatchObject({
      status: 503,
      error_class: 'federation_not_configured',
      message: expect.stringContaining('FEDERATION_SUBJECT'),
    });
  });
});
