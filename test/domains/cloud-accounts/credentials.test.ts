import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  CREDENTIAL_FORMS,
  describeCredentials,
  parseCredentials,
} from '../../../server/domains/cloud-accounts/credentials.ts';
import { parseServiceAccountKey } from '../../../server/domains/cloud-accounts/gcp-key.ts';
import type { CredentialFields, CredentialType } from '../../../server/domains/cloud-accounts/types.ts';
import { InvalidInput } from '../../../server/lib/errors.ts';

const KEY_FILE = {
  type: 'service_account',
  project_id: 'acme-prod-123456',
  private_key_id: '0123456789abcdef0123456789abcdef01234567',
  private_key: '-----BEGIN PRIVATE KEY-----\nMIIEv\n-----END PRIVATE KEY-----\n',
  client_email: 'dpa@acme-prod-123456.iam.gserviceaccount.com',
  client_id: '123456789012345678901',
  auth_uri: 'https://accounts.google.com/o/oauth2/auth',
  token_uri: 'https://oauth2.googleapis.com/token',
  auth_provider_x509_cert_url: 'https://www.googleapis.com/oauth2/v1/certs',
  universe_domain: 'googleapis.com',
};
const UUID = '3f0c1e1c-6f6e-4a8e-9d4d-0c8f3a4b7c11';
const VALUES: Required<CredentialFields> = {
  role_arn: 'arn:aws:iam::123456789012:role/readers/dpa',
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'secret',
  session_token: 'token',
  service_account_json: JSON.stringify(KEY_FILE),
  audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/dpa/providers/dpa',
  service_account_email: 'dpa@acme-prod-123456.iam.gserviceaccount.com',
  tenant_id: UUID,
  client_id: UUID,
  client_secret: 'secret',
};
const TYPES = Object.keys(CREDENTIAL_FORMS) as CredentialType[];
type Field = keyof CredentialFields;
const FIELDS = Object.keys(VALUES) as Field[];
const select = (names: readonly Field[]) => Object.fromEntries(names.map((name) => [name, VALUES[name]]));

describe('the fields of credentials', () => {
  test.each(TYPES)('%s accepts exactly its own fields', (type) => {
    const { provider, required, optional = [] } = CREDENTIAL_FORMS[type];

    fc.assert(
      fc.property(fc.subarray(FIELDS), (names) => {
        const is_complete = required.every((name) => names.includes(name));
        const is_known = names.every((name) => required.includes(name) || optional.includes(name));
        const parse = () => parseCredentials(provider, type, select(names));
        if (is_complete && is_known) expect(parse()).toMatchObject({ credential_type: type });
        else expect(parse).toThrow(InvalidInput);
      }),
    );
  });

  test.each(TYPES)('%s belongs to one cloud only', (type) => {
    const { provider, required } = CREDENTIAL_FORMS[type];
    for (const other of (['aws', 'gcp', 'azure'] as const).filter((one) => one !== provider)) {
      expect(() => parseCredentials(other, type, select(required))).toThrow(`does not apply to an account of ${other}`);
    }
  });

  test('a message names the field, and never quotes a value', () => {
    const missing = () => parseCredentials('aws', 'aws_access_key', { access_key_id: VALUES.access_key_id });
    const extra = () => parseCredentials('aws', 'aws_role', select(['role_arn', 'client_secret']));

    expect(missing).toThrow('credentials.secret_access_key is required with aws_access_key');
    expect(extra).toThrow('credentials.client_secret does not apply to aws_role; leave it out');
  });

  test('a temporary access key needs its session token', () => {
    const fields = { ...select(['secret_access_key']), access_key_id: 'ASIAIOSFODNN7EXAMPLE' };

    expect(() => parseCredentials('aws', 'aws_access_key', fields)).toThrow(/session_token is required: .* temporary/);
    expect(parseCredentials('aws', 'aws_access_key', { ...fields, session_token: 'x' })).toMatchObject(fields);
  });

  test.each<[CredentialType, string | null]>([
    ['aws_role', 'dpa'],
    ['aws_web_identity', 'dpa'],
    ['aws_access_key', 'MPLE'],
    ['gcp_service_account_key', '4567'],
    ['gcp_workload_identity', 'dpa'],
    ['azure_client_secret', '7c11'],
    ['azure_federated', '7c11'],
  ])('%s is recognized by %s', (type, hint) => {
    const { provider, required } = CREDENTIAL_FORMS[type];

    expect(describeCredentials(parseCredentials(provider, type, select(required)))).toBe(hint);
  });
});

describe('the key file of a service account', () => {
  test('only the members that are needed are kept', () => {
    const parsed = parseServiceAccountKey(JSON.stringify({ ...KEY_FILE, extra: 'x' }));

    const { auth_uri: _a, auth_provider_x509_cert_url: _c, ...kept } = KEY_FILE;
    expect('key' in parsed && JSON.parse(parsed.key)).toEqual(kept);
  });

  test('a file without token_uri is accepted', () => {
    const { token_uri: _left_out, ...rest } = KEY_FILE;

    expect(parseServiceAccountKey(JSON.stringify(rest))).toHaveProperty('key');
  });

  test.each<[string, string, RegExp]>([
    ['not JSON', '-----BEGIN PRIVATE KEY-----', /is not a JSON object/],
    ['half a file', JSON.stringify(KEY_FILE).slice(0, 200), /is not a JSON object/],
    ['a list', '[]', /is not a JSON object/],
    ['null', 'null', /is not a JSON object/],
    ['a file without a type', '{}', /"type" must be "service_account"/],
    ['a type that is an inherited name', '{"type":"constructor"}', /"type" must be "service_account"/],
    ['a type that is no text', '{"type":{}}', /"type" must be "service_account"/],
    ['the login of a person', JSON.stringify({ type: 'authorized_user' }), /the login of a person/],
    ['a federation configuration', '{"type":"external_account"}', /use credential_type gcp_workload_identity/],
    ['no key', JSON.stringify({ ...KEY_FILE, private_key: '' }), /no private_key in PEM format/],
    ['no email', JSON.stringify({ ...KEY_FILE, client_email: undefined }), /no valid client_email/],
    ['another token_uri', JSON.stringify({ ...KEY_FILE, token_uri: 'https://evil.example/token' }), /token_uri other/],
    ['another universe', JSON.stringify({ ...KEY_FILE, universe_domain: 'x.example' }), /universe_domain other/],
    ['a member of another type', JSON.stringify({ ...KEY_FILE, project_id: 7 }), /invalid project_id/],
  ])('%s is rejected with what to do', (_what, text, problem) => {
    const parsed = parseServiceAccountKey(text);

    expect('problem' in parsed && parsed.problem).toMatch(problem);
  });

  test('no message quotes the text', () => {
    fc.assert(
      fc.property(fc.json(), fc.string({ minLength: 8 }), (json, secret) => {
        for (const text of [json, secret, JSON.stringify({ ...KEY_FILE, token_uri: secret })]) {
          const parsed = parseServiceAccountKey(text);
          if ('problem' in parsed) expect(parsed.problem).not.toContain(secret);
        }
      }),
    );
  });
});
