export interface ProviderNames {
  /** The cloud if known (`aws`, `gcp`, `azure`), else the provider's short name. */
  provider: string;
  /** `namespace/name`; for old plans, only the short name. */
  provider_name: string;
}

const CLOUDS = new Map([
  ['aws', 'aws'],
  ['awscc', 'aws'],
  ['google', 'gcp'],
  ['google-beta', 'gcp'],
  ['azurerm', 'azure'],
  ['azapi', 'azure'],
  ['azuread', 'azure'],
]);

/**
 * Reads the provider of a resource.
 *
 * @param source `registry.terraform.io/hashicorp/aws`; before Terraform 0.13, `aws`, or `aws.west` with an alias
 * @param type the resource type; its first word is used when the plan does not name the provider
 */
export function readProvider(source: string | undefined, type: string): ProviderNames {
  const provider_name = typeof source === 'string' && source !== '' ? withoutHost(source) : firstWord(type);
  const short = provider_name.slice(provider_name.lastIndexOf('/') + 1);
  return { provider: CLOUDS.get(short) ?? short, provider_name };
}

function withoutHost(source: string): string {
  const last = source.lastIndexOf('/');
  if (last < 0) return withoutAlias(source);
  const first = source.lastIndexOf('/', last - 1);
  return source.slice(first + 1);
}

function withoutAlias(name: string): string {
  const dot = name.indexOf('.');
  return dot < 1 ? name : name.slice(0, dot);
}

function firstWord(type: string): string {
  const end = type.indexOf('_');
  return end < 1 ? type : type.slice(0, end);
}
