/** A state that declares the bundled account as it is: the resources that a team would manage, as its providers hold them. */
import type { MadeAccount, Resource } from './build.ts';
import { AWS } from './declared/aws.ts';
import { AZURE } from './declared/azure.ts';
import { GCP } from './declared/gcp.ts';
import type { Values } from './declared/types.ts';

export interface Declared {
  type: string;
  provider: string;
  attributes: Values;
  /** The name in the code, if the attributes do not tell. */
  name?: string;
}

export const PROVIDERS = {
  aws: 'provider["registry.terraform.io/hashicorp/aws"]',
  gcp: 'provider["registry.terraform.io/hashicorp/google"]',
  azure: 'provider["registry.terraform.io/hashicorp/azurerm"]',
} as const;

const DESCRIBE = { aws: AWS, gcp: GCP, azure: AZURE };

function declare(account: MadeAccount): Declared[] {
  const { provider, external_account_id } = account;
  return account.parts.flatMap(({ resources }) =>
    resources
      .filter((resource) => !isServiceMade(resource))
      .flatMap((resource): Declared[] => {
        const describe = DESCRIBE[provider][resource.provider_type];
        const { properties } = resource;
        const inner = provider === 'azure' ? (properties?.['properties'] as Values) : properties;
        if (describe === undefined) return [];
        const [type, attributes] = describe(resource, { ...inner }, { account: external_account_id });
        return [{ type, provider: PROVIDERS[provider], attributes }];
      }),
  );
}

/** What nobody declares. */
function isServiceMade({ provider_resource_id, properties }: Resource): boolean {
  const { IsDefault, GroupName, Path } = properties ?? {};
  return (
    IsDefault === true ||
    GroupName === 'default' ||
    String(Path).startsWith('/aws-service-role/') ||
    provider_resource_id.endsWith('/default')
  );
}

/** Every resource that a team would declare, as its state holds it. */
export function declareAll(accounts: readonly MadeAccount[]): Declared[] {
  return accounts.flatMap(declare);
}

/** The name of a resource in the code: what people call it, without what is not allowed in a name. */
function nameResource({ attributes, name: given }: Declared): string {
  const { name, bucket, function_name, identifier, alarm_name, tags, id } = attributes;
  const named = (tags as Values | undefined)?.['Name'];
  const text = String(given ?? bucket ?? function_name ?? identifier ?? alarm_name ?? named ?? name ?? id);
  return text.slice(text.lastIndexOf('/', text.length - 2) + 1).replace(/[^A-Za-z0-9]+/g, '_');
}

/** Regions have a module each. */
function findModule({ attributes }: Declared): string | undefined {
  const arn = String(attributes['arn'] ?? attributes['id']);
  const region = arn.startsWith('arn:') ? arn.split(':')[3] : attributes['region'];
  return region === 'eu-west-1' || region === 'us-east-1' ? `module.${region.replaceAll('-', '_')}` : undefined;
}

/** The state as a file of Terraform, with one resource in each line. */
export function writeState(declared: readonly Declared[]): string {
  const used = new Map<string, number>();
  const resources = declared.map((one) => {
    const { type, provider, attributes } = one;
    const module = findModule(one);
    const name = nameResource(one);
    const key = `${module} ${type} ${name}`;
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return JSON.stringify({
      ...(module === undefined ? {} : { module }),
      ...{ mode: 'managed', type, name: count === 1 ? name : `${name}_${count}`, provider },
      instances: [{ schema_version: 0, attributes, sensitive_attributes: [] }],
    });
  });
  const header = {
    version: 4,
    terraform_version: '1.11.4',
    serial: 42,
    lineage: '1b2c9e5a-7f0d-4c1e-9a57-6a2d7c1f3e42',
    outputs: {},
  };
  return `${JSON.stringify(header).slice(0, -1)},"resources":[\n${resources.join(',\n')}\n]}\n`;
}
