import type { Schemas } from '../../../sdk/src/index.ts';
import { Failure } from '../failure.ts';
import { describeInput, readAllInput } from '../input.ts';

export type CredentialType = Schemas['CloudCredentialType'];
export type CredentialFields = Schemas['CloudCredentialsUpdate'];

const FILE = { noun: 'credentials', file: 'a JSON file with the credentials' };

/**
 * Reads credentials from a file or standard input, never from the command line, which other users of the machine can
 * see. The service checks the fields.
 *
 * @throws Failure that quotes nothing of the file
 */
export async function readCredentials(path: string, type: CredentialType): Promise<CredentialFields> {
  const text = new TextDecoder().decode(await readAllInput(path, FILE));
  const json = parse(text, path);
  // Google Cloud's own file is sent as it is.
  if (type === 'gcp_service_account_key' && !('service_account_json' in json)) return { service_account_json: text };
  return json;
}

function parse(text: string, path: string): object {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  } catch {
    // The message of the parser quotes the text.
  }
  throw new Failure(`${describeInput(path)}: expected a JSON object such as {"role_arn": "…"}`);
}
