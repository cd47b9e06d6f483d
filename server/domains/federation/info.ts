import { GRANT_TYPE, SUBJECT_TOKEN_TYPES } from './exchange-request.ts';
import type { FederationSettings } from './types.ts';

export const MAX_TTL_SECONDS = 900;

/** Audiences of the tokens that this deployment signs. Google Cloud expects that of each workload identity provider. */
export const TOKEN_AUDIENCES = { aws: 'sts.amazonaws.com', azure: 'api://AzureADTokenExchange' } as const;

/** Subject of the tokens for one organization: a trust policy that names it trusts no other organization. */
export function formatOrgSubject(subject: string, org_id: string): string {
  return `${subject}:org:${org_id}`;
}

/** Setup details for the administrators of clouds and CI; see openapi.yaml, FederationInfo. */
export function describeFederation(settings: FederationSettings & { api_url: string; subject: string }) {
  const { api_url, subject } = settings;
  return {
    subject,
    issuer: api_url,
    jwks_uri: `${api_url}/.well-known/jwks.json`,
    org_subject_template: formatOrgSubject(subject, '{org_id}'),
    audiences: {
      ...TOKEN_AUDIENCES,
      gcp: settings.gcp_audience ?? '<workload identity provider resource name of the account>',
    },
    aws_principal_arn: settings.aws_principal_arn,
    token_exchange: {
      endpoint: `${api_url}/api/v2/federation/token`,
      grant_type: GRANT_TYPE,
      subject_token_types: SUBJECT_TOKEN_TYPES,
      audience: api_url,
      max_ttl_seconds: MAX_TTL_SECONDS,
      trusted_issuers: [...settings.trusted_issuers],
    },
  };
}
