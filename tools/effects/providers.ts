/** Packages that describe one provider. Versions are fixed, so that a run can be repeated. */
export interface ProviderPackages {
  /** Name of the data file. */
  name: string;
  /** Prefix of resource types. */
  prefix: string;
  /** Packages with Terraform's own names, the first preferred where several describe an argument. */
  terraform: string[];
  /** Package with the documentation texts; also the source of names if `terraform` is empty. */
  documentation?: string;
}

/** All providers of the table. Older versions follow newer ones, for arguments that have been removed since. */
export const PROVIDERS: ProviderPackages[] = [
  describe('aws', ['aws@21.22.1'], 'aws@7.48.0'),
  describe('google', ['google@16.12.1', 'google-beta@16.12.1'], 'gcp@9.37.0'),
  describe('azurerm', ['azurerm@14.23.1'], 'azure@6.40.0'),
  describe('azuread', ['azuread@14.3.1'], 'azuread@6.9.1'),
  describe('kubernetes', ['kubernetes@12.1.1']),
  describe('helm', ['helm@12.1.2']),
  describe('github', ['github@15.3.1'], 'github@6.15.0'),
  describe('gitlab', ['gitlab@15.6.2']),
  describe('cloudflare', ['cloudflare@13.9.1'], 'cloudflare@6.22.1'),
  describe('datadog', ['datadog@12.15.2'], 'datadog@5.11.0'),
  describe('okta', ['okta@14.1.1'], 'okta@7.0.0'),
  describe('auth0', [], 'auth0@3.49.0'),
  describe('snowflake', ['snowflake@15.9.1'], 'snowflake@1.3.0'),
  describe('vault', ['vault@15.6.1'], 'vault@7.8.0'),
  describe('mongodbatlas', ['mongodbatlas@8.6.2'], 'mongodbatlas@4.16.0'),
  describe('confluent', [], 'confluentcloud@2.82.0'),
  describe('pagerduty', ['pagerduty@14.3.9'], 'pagerduty@3.4.0'),
  describe('fastly', [], 'fastly@11.1.0'),
  describe('postgresql', ['postgresql@12.1.1'], 'postgresql@3.18.1'),
  describe('databricks', ['databricks@15.16.1'], 'databricks@1.110.0'),
  describe('digitalocean', ['digitalocean@13.14.1'], 'digitalocean@4.80.1'),
  describe('newrelic', ['newrelic@13.12.2'], 'newrelic@5.77.0'),
  describe('tfe', ['tfe@12.5.1']),
  describe('keycloak', [], 'keycloak@6.13.0'),
];

function describe(name: string, terraform: string[], documentation?: string): ProviderPackages {
  const packages = terraform.map((one) => `@cdktf/provider-${one}`);
  const found: ProviderPackages = { name, prefix: `${name}_`, terraform: packages };
  return documentation === undefined ? found : { ...found, documentation: `@pulumi/${documentation}` };
}
