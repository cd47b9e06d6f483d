import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound } from '../../lib/errors.ts';
import { federationNotConfigured, formatOrgSubject, TOKEN_AUDIENCES } from '../federation/index.ts';
import { formatStackUrl } from './stack-url.ts';
import * as store from './store.ts';
import type { CloudSetup, Clouds, DeploymentIdentity } from './types.ts';

export interface SetupDeps extends Pick<ServiceDeps, 'db'> {
  clouds: Clouds;
  deployment: DeploymentIdentity;
}

export function createSetup({ db, clouds, deployment }: SetupDeps) {
  /**
   * What an administrator creates in a cloud before an account is added.
   *
   * @throws ServiceError 503 `federation_not_configured` if this deployment has no identity at the cloud
   */
  async function getSetup(orgId: string, provider: CloudProvider): Promise<CloudSetup> {
    if (provider === 'aws') return { provider, aws: await describeAws(orgId) };
    const { api_url, subject } = deployment;
    if (api_url === null || subject === null) throw federationNotConfigured('API_URL and FEDERATION_SUBJECT');
    const tokens = { issuer: api_url, subject: formatOrgSubject(subject, orgId) };
    if (provider === 'azure') {
      const { grants } = clouds.azure;
      return { provider, azure: { ...tokens, audience: TOKEN_AUDIENCES.azure, role: grants.role } };
    }
    const { roles, permissions, apis } = clouds.gcp.grants;
    return { provider, gcp: { ...tokens, roles: [...roles], permissions: [...permissions], apis: [...apis] } };
  }

  async function describeAws(orgId: string) {
    const { api_url, subject, aws_principal_arn: principal_arn, aws_template_url } = deployment;
    const has_tokens = api_url !== null && subject !== null;
    if (principal_arn === null && !has_tokens) {
      throw federationNotConfigured('FEDERATION_AWS_PRINCIPAL_ARN with its keys, or API_URL and FEDERATION_SUBJECT');
    }
    const { policy_document } = clouds.aws.grants;
    const external_id = assertFound(await db.readInOrg(orgId, (read) => store.findExternalId(read, orgId)));
    const has_stack = aws_template_url !== null && principal_arn !== null;
    return {
      principal_arn,
      external_id,
      oidc_issuer: has_tokens ? api_url : null,
      oidc_subject: has_tokens ? formatOrgSubject(subject, orgId) : null,
      policy_document,
      cloudformation_url: has_stack ? formatStackUrl(aws_template_url, { principal_arn, external_id }) : null,
    };
  }

  return getSetup;
}
