import { readFileSync } from 'node:fs';
import { parse } from '@cdktf/hcl2json';
import { describe, expect, test } from '@jest/globals';
import { createAwsAdapter } from '../../server/adapters/cloud/aws/index.ts';
import { AZURE_CLOUDS, createAzureAdapter, describeAzureRoles } from '../../server/adapters/cloud/azure/index.ts';
import { createGcpAdapter, describeGcpRoles } from '../../server/adapters/cloud/gcp/index.ts';
import type { CloudCall } from '../../server/adapters/cloud/types.ts';
import { writeAwsTypes } from '../../tools/cloud-docs/aws-types.ts';

const readText = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const unused = (): Promise<never> => Promise.reject(new Error('not to be used'));

/** The rows of the table of permissions, as the calls of an adapter require them. */
function toRows(calls: readonly CloudCall[]): string[] {
  return calls.flatMap(({ service, operation, permissions, needed_for }) =>
    permissions.map((permission) => `| \`${service}\` ${operation} | \`${permission}\` | ${needed_for} |`),
  );
}

/** The parts of a module that the tests compare, as hcl2json writes them. */
interface Module {
  locals?: [{ apis: string[]; permissions: string[]; predefined_roles: string[] }];
  resource: Record<string, Record<string, Record<string, string>[]>>;
  variable: Record<string, { default?: unknown }[]>;
}

async function readModule(cloud: string): Promise<Module> {
  const path = `examples/cloud-accounts/${cloud}/main.tf`;
  return (await parse(path, readText(path))) as unknown as Module;
}

describe('AWS', () => {
  const page = readText('docs/cloud-accounts.md');
  const { calls } = createAwsAdapter({ fetch: unused, signToken: unused, own_keys: null });

  test('the page lists every declared call with its first permission and what it is needed for', () => {
    const rows = page.match(/^\| `(?:sts|account|s3|cloudcontrolapi|resource-explorer-2|tagging)` .*$/gm) ?? [];

    expect(rows).toHaveLength(calls.length);
    for (const { service, operation, permissions, needed_for } of calls) {
      const row = rows.find((one) => one.startsWith(`| \`${service}\` ${operation} |`));
      expect(row).toContain(permissions[0] === undefined ? '| none |' : `| \`${permissions[0]}\``);
      expect(row).toContain(`| ${needed_for} |`);
    }
  });

  test('the page of resource types is that of the tables; `npm run cloud-docs` writes it', () => {
    expect(readText('docs/cloud-accounts/aws-types.md')).toBe(writeAwsTypes());
  });

  test('the Terraform module grants exactly the generated policy, and trusts one organization', async () => {
    const text = readText('examples/cloud-accounts/aws/main.tf');
    const { resource } = await readModule('aws');

    expect(resource['aws_iam_role']).toBeDefined();
    expect(text).toContain('policy_document');
    expect(text).toContain(':sub"');
    expect(text).toContain('sts:ExternalId');
  });
});

describe('Google Cloud', () => {
  const page = readText('docs/cloud-accounts/gcp.md');

  test('the page lists every permission of the declared calls', () => {
    const { calls } = createGcpAdapter({ fetch: unused, signToken: unused });

    expect(toRows(calls).filter((row) => !page.includes(row))).toEqual([]);
    expect(page.match(/^\| `[a-z]+` /gm)).toHaveLength(toRows(calls).length);
  });

  test('the page names the predefined roles', () => {
    const { roles, impersonation } = describeGcpRoles();

    expect(roles).toEqual(['roles/cloudasset.viewer', 'roles/viewer']);
    for (const role of [...roles, impersonation.role]) expect(page).toContain(role);
  });

  test('the Terraform module grants exactly the declared permissions', async () => {
    const module = await readModule('gcp');
    const [{ apis, permissions, predefined_roles }] = module.locals!;

    const declared = describeGcpRoles();
    expect(permissions).toEqual(declared.permissions);
    expect(predefined_roles).toEqual(declared.roles);
    expect(apis).toEqual([...declared.apis, ...declared.impersonation.apis]);
    expect(JSON.stringify(module.resource)).toContain(declared.impersonation.role);
  });
});

describe('Azure', () => {
  const page = readText('docs/cloud-accounts/azure.md');

  test('the page lists every permission of the declared calls', () => {
    const { calls } = createAzureAdapter({ fetch: unused, signToken: unused });

    expect(toRows(calls).filter((row) => !page.includes(row))).toEqual([]);
    expect(page.match(/^\| `(management|resourcegraph)` /gm)).toHaveLength(toRows(calls).length);
  });

  test('the page lists the addresses of every cloud', () => {
    for (const [name, { login, management, federation_audience }] of Object.entries(AZURE_CLOUDS)) {
      const hosts = [login, management].map((url) => new URL(url).host);
      expect(page).toContain(`| \`${name}\` | ${hosts.join(' | ')} | ${federation_audience} |`);
    }
  });

  test('the page lists every table that is read', async () => {
    const session = createAzureAdapter({ fetch: unused, signToken: unused }).open({
      provider: 'azure',
      external_account_id: 'x',
      credentials: { credential_type: 'azure_federated', tenant_id: 'x', client_id: 'x' },
      regions: [],
      token_subject: 'x',
    });

    const { parts } = await session.outline(new AbortController().signal);

    for (const { key } of parts) expect(page).toContain(`| \`${key.split('/')[1]}\` |`);
  });

  test('the Terraform module assigns the declared role on the subscription', async () => {
    const module = await readModule('azure');

    const [assignment] = module.resource['azurerm_role_assignment']!['reader']!;
    const [audience] = module.variable['audience']!;
    expect(assignment!['role_definition_name']).toBe(describeAzureRoles().role);
    expect(assignment!['scope']).toMatch(/^\/subscriptions\/[^/]+$/);
    expect(audience!.default).toBe(AZURE_CLOUDS.public.federation_audience);
  });
});
