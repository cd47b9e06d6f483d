import type { Schemas } from '../../../sdk/src/index.ts';
import { readJsonFile } from './json-file.ts';

export type CredentialType = Schemas['CloudCredentialType'];
export type CredentialFields = Schemas['CloudCredentialsUpdate'];

const FILE = { noun: 'credentials', file: 'a JSON file with the credentials' };

/** Reads credentials from a file or standard input. The service checks the fields. @throws Failure */
export async function readCredentials(path: string, type: CredentialType): Promise<CredentialFields> {
  const { json, text } = await readJsonFile(path, FILE, '{"role_arn": "…"}');
  // Google Cloud's own file is sent as it is.
  if (type === 'gcp_service_account_key' && !('service_account_json' in json)) return { service_account_json: text };
  return json;
}
