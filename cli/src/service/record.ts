import { lstat, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { RecordedSummary } from '../../../server/adapters/cloud/recorded/index.ts';
import type { CloudAdapter } from '../../../server/adapters/cloud/types.ts';
import { Failure } from '../failure.ts';

export interface RecordCommandOptions {
  provider: 'aws' | 'gcp' | 'azure';
  account: string;
  region: string[];
}

export interface RecordDeps {
  openAdapter: (provider: RecordCommandOptions['provider']) => Promise<CloudAdapter>;
}

/** Records a cloud account into a folder, with credentials from the environment. */
export async function record(
  folder: string,
  { provider, account, region }: RecordCommandOptions,
  { openAdapter: open }: RecordDeps = { openAdapter },
): Promise<void> {
  await assertNew(folder);
  const credentials = await READERS[provider]();
  const { recordAccount } = await import('../../../server/adapters/cloud/recorded/index.ts');
  const adapter = await open(provider);
  const target = { provider, external_account_id: account, credentials, regions: region, token_subject: '' };
  const session = adapter.open(target);
  const stopped = new AbortController();
  const stop = () => stopped.abort(new Failure('stopped'));
  process.once('SIGINT', stop);
  try {
    const onProgress = (done: number, all: number) => process.stderr.write(`\r${done} of ${all} parts`);
    const options = { provider, external_account_id: account, folder, signal: stopped.signal, onProgress };
    const summary = await recordAccount(session, options).catch((error) => explainIncomplete(folder, error));
    process.stderr.write('\n');
    process.stdout.write(describe(folder, summary));
  } finally {
    process.removeListener('SIGINT', stop);
    session.close();
  }
}

/** Before the cloud is asked. @throws Failure */
async function assertNew(folder: string): Promise<void> {
  if (await exists(folder)) throw new Failure(`${folder} already exists: name a folder that does not`);
  const parent = dirname(resolve(folder));
  if (!(await exists(parent))) throw new Failure(`the folder ${parent} does not exist: create it first`);
}

/** Whether anything has this name, also a link that leads nowhere. */
function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** @throws Failure that says whether something was written */
async function explainIncomplete(folder: string, error: unknown): Promise<never> {
  const message = error instanceof Error ? error.message : String(error);
  if (!(await exists(folder))) throw new Failure(message, { cause: error });
  throw new Failure(`${message}\n${folder} is incomplete: delete it`, { cause: error });
}

function describe(folder: string, { resources, faults, missing }: RecordedSummary): string {
  const lines = [`Recorded ${resources} resources in ${folder}; ${faults} parts could not be read to their end.`];
  if (missing.length > 0)
    lines.push(`The credential lacks permissions, so resources are missing: ${missing.join(', ')}`);
  lines.push(
    'Secrets that dpa recognizes by name or format were removed. Check these before you share the folder:',
    '- account.json: the account, the identity of the credential, permissions and regions',
    '- pages/*.json: IDs, names, tags, descriptions, email addresses, host names and IP addresses',
    `Look for what must not leave your company: grep -rniE 'customer|@example\\.com' ${folder}`,
  );
  return `${lines.join('\n')}\n`;
}

async function openAdapter(provider: RecordCommandOptions['provider']): Promise<CloudAdapter> {
  const { createGuardedFetch } = await import('../../../server/adapters/egress/index.ts');
  const deps = { fetch: createGuardedFetch(), signToken: failWithoutIssuer };
  switch (provider) {
    case 'aws':
      return (await import('../../../server/adapters/cloud/aws/index.ts')).createAwsAdapter({
        ...deps,
        own_keys: null,
      });
    case 'gcp':
      return (await import('../../../server/adapters/cloud/gcp/index.ts')).createGcpAdapter(deps);
    default:
      return (await import('../../../server/adapters/cloud/azure/index.ts')).createAzureAdapter(deps);
  }
}

const READERS = {
  async aws() {
    const session_token = process.env.AWS_SESSION_TOKEN;
    return {
      credential_type: 'aws_access_key' as const,
      access_key_id: readVariable('AWS_ACCESS_KEY_ID'),
      secret_access_key: readVariable('AWS_SECRET_ACCESS_KEY'),
      ...(session_token === undefined ? {} : { session_token }),
    };
  },
  async gcp() {
    const path = readVariable('GOOGLE_APPLICATION_CREDENTIALS');
    const service_account_json = await readFile(path, 'utf8').catch((cause: unknown) => {
      throw new Failure(`${path} in GOOGLE_APPLICATION_CREDENTIALS cannot be read`, { cause });
    });
    return { credential_type: 'gcp_service_account_key' as const, service_account_json };
  },
  async azure() {
    return {
      credential_type: 'azure_client_secret' as const,
      tenant_id: readVariable('AZURE_TENANT_ID'),
      client_id: readVariable('AZURE_CLIENT_ID'),
      client_secret: readVariable('AZURE_CLIENT_SECRET'),
    };
  },
};

function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new Failure(`${name} is not set: set the credential of the account in the environment`);
  return value;
}

/** Only stored credentials are used, so that no token is signed. */
async function failWithoutIssuer(): Promise<never> {
  throw new Failure('This command signs no tokens.');
}
