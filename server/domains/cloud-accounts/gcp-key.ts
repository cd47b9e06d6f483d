import { isObject } from '../../lib/is-object.ts';

/** Where Google accepts signed assertions. Any other address would receive them instead of Google. */
const TOKEN_URIS = ['https://oauth2.googleapis.com/token', 'https://accounts.google.com/o/oauth2/token'];

/** The members of a key file that are kept: whether a value is usable, and what is wrong with any other. */
const MEMBERS: Readonly<Record<string, { isValid: (value: string) => boolean; required?: true; problem: string }>> = {
  private_key: {
    isValid: (value) => /^-----BEGIN (RSA )?PRIVATE KEY-----/.test(value),
    required: true,
    problem: 'has no private_key in PEM format; create a new key and paste the whole file',
  },
  client_email: {
    isValid: (value) => /^[^@\s]+@[^@\s]+$/.test(value),
    required: true,
    problem: 'has no valid client_email; paste the whole file',
  },
  token_uri: {
    isValid: (value) => TOKEN_URIS.includes(value),
    problem: `has a token_uri other than ${TOKEN_URIS[0]}; download the file from Google Cloud again`,
  },
  universe_domain: {
    isValid: (value) => value === 'googleapis.com',
    problem: 'belongs to a universe_domain other than googleapis.com, which is not supported',
  },
  private_key_id: shortText('private_key_id'),
  project_id: shortText('project_id'),
  client_id: shortText('client_id'),
};

const OTHER_TYPES: Readonly<Record<string, string>> = {
  authorized_user: 'the login of a person from `gcloud auth application-default login`',
  external_account: 'a configuration of workload identity federation; use credential_type gcp_workload_identity',
  impersonated_service_account: 'a configuration for impersonation',
};

/**
 * Reads the JSON file of a service account key, and keeps only its known members. Messages never quote the text.
 *
 * @see https://cloud.google.com/iam/docs/keys-create-delete, the format of key files
 */
export function parseServiceAccountKey(text: string): { key: string } | { problem: string } {
  const json = parseJson(text);
  if (!isObject(json)) return { problem: 'is not a JSON object; paste the whole key file, from { to }' };
  if (json['type'] !== 'service_account') return { problem: describeOtherType(json['type']) };
  const kept: Record<string, string> = { type: 'service_account' };
  for (const [name, { isValid, required, problem }] of Object.entries(MEMBERS)) {
    const value = json[name];
    if (value === undefined && !required) continue;
    if (typeof value !== 'string' || !isValid(value)) return { problem };
    kept[name] = value;
  }
  return { key: JSON.stringify(kept) };
}

function shortText(name: string) {
  return {
    isValid: (value: string) => value.length <= 200,
    problem: `has an invalid ${name}; download the file from Google Cloud again`,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeOtherType(type: unknown): string {
  const other = typeof type === 'string' && Object.hasOwn(OTHER_TYPES, type) ? OTHER_TYPES[type] : undefined;
  if (other === undefined) return 'is not the key file of a service account: its "type" must be "service_account"';
  return `is not the key file of a service account but ${other}`;
}
