import type { CloudProvider } from '../../adapters/cloud/types.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { parseServiceAccountKey } from './gcp-key.ts';
import type { CredentialField, CredentialFields, CredentialType, StoredCredentials } from './types.ts';

interface CredentialForm {
  provider: CloudProvider;
  required: readonly CredentialField[];
  optional?: readonly CredentialField[];
  /** The deployment signs the tokens with which these credentials are used. */
  needs_tokens?: true;
}

/** The fields of each credential type; openapi.yaml describes the same forms for callers. */
export const CREDENTIAL_FORMS: Readonly<Record<CredentialType, CredentialForm>> = {
  aws_role: { provider: 'aws', required: ['role_arn'] },
  aws_access_key: {
    provider: 'aws',
    required: ['access_key_id', 'secret_access_key'],
    optional: ['session_token'],
  },
  aws_web_identity: { provider: 'aws', required: ['role_arn'], needs_tokens: true },
  gcp_service_account_key: { provider: 'gcp', required: ['service_account_json'] },
  gcp_workload_identity: { provider: 'gcp', required: ['audience', 'service_account_email'], needs_tokens: true },
  azure_client_secret: { provider: 'azure', required: ['tenant_id', 'client_id', 'client_secret'] },
  azure_federated: { provider: 'azure', required: ['tenant_id', 'client_id'], needs_tokens: true },
};

const HINT_LENGTH = 4;

/**
 * The credentials to store, from the fields that a caller sent.
 *
 * @throws InvalidInput if a field is missing, belongs to another credential type, or has unusable content
 */
export function parseCredentials(
  provider: CloudProvider,
  credential_type: CredentialType,
  fields: CredentialFields,
): StoredCredentials {
  const form = CREDENTIAL_FORMS[credential_type];
  if (form.provider !== provider) {
    throw invalid('credential_type', `"${credential_type}" does not apply to an account of ${provider}`);
  }
  const { required, optional = [] } = form;
  for (const name of required) {
    if (fields[name] === undefined) throw invalid(`credentials/${name}`, `is required with ${credential_type}`);
  }
  const known: readonly string[] = [...required, ...optional];
  for (const name of Object.keys(fields)) {
    if (!known.includes(name))
      throw invalid(`credentials/${name}`, `does not apply to ${credential_type}; leave it out`);
  }
  return { credential_type, ...normalizeFields(fields) } as StoredCredentials;
}

function normalizeFields({ service_account_json: key, access_key_id, session_token, ...rest }: CredentialFields) {
  if (access_key_id?.startsWith('ASIA') && session_token === undefined) {
    const problem =
      'is required: an access key that begins with ASIA is temporary and works only with its session token';
    throw invalid('credentials/session_token', problem);
  }
  return {
    ...rest,
    ...(access_key_id !== undefined && { access_key_id }),
    ...(session_token !== undefined && { session_token }),
    ...(key !== undefined && { service_account_json: parseKey(key) }),
  };
}

function parseKey(text: string): string {
  const parsed = parseServiceAccountKey(text);
  if ('key' in parsed) return parsed.key;
  throw invalid('credentials/service_account_json', parsed.problem);
}

/** A public part of credentials, by which people recognize them; null if there is none. */
export function describeCredentials(credentials: StoredCredentials): string | null {
  switch (credentials.credential_type) {
    case 'aws_role':
    case 'aws_web_identity':
      return credentials.role_arn.split('/').at(-1) ?? null;
    case 'aws_access_key':
      return credentials.access_key_id.slice(-HINT_LENGTH);
    case 'gcp_service_account_key': {
      const { private_key_id } = JSON.parse(credentials.service_account_json);
      return private_key_id?.slice(-HINT_LENGTH) ?? null;
    }
    case 'gcp_workload_identity':
      return credentials.service_account_email.split('@')[0] ?? null;
    case 'azure_client_secret':
    case 'azure_federated':
      return credentials.client_id.slice(-HINT_LENGTH);
  }
}

/** Account IDs in the form in which clouds report them: Azure writes UUIDs in any case. */
export function normalizeAccountId(provider: CloudProvider, id: string): string {
  return provider === 'azure' ? id.toLowerCase() : id;
}

function invalid(field: string, problem: string): InvalidInput {
  const details = [{ path: `/body/${field}`, message: problem, code: 'invalid_credentials' }];
  return new InvalidInput(`${field.replace('/', '.')} ${problem}`, 'invalid_request', { details });
}
