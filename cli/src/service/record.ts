import { readFile } from 'node:fs/promises';
import { Failure } from '../failure.ts';

export interface RecordCommandOptions {
  provider: 'aws' | 'gcp' | 'azure';
  account: string;
  region: string[];
}

/** Records a cloud account into a folder, with credentials from the environment. */
export async function record(folder: string, { provider, account, region }: RecordCommandOptions): Promise<void> {
  const credentials = await READERS[provider]();
  const { recordAccount } = await import('../../../server/adapters/cloud/recorded/index.ts');
  const adapter = await openAdapter(provider);
  const session = adapter.open({
    provider,
    external_account_id: account,
    credentials,
    regions: region,
    token_subject: '',
  });
  const stopped = new AbortController();
  const stop = () => stopped.abort(new Failure('Stopped. The folder is incomplete: delete it.'));
  process.once('SIGINT', stop);
  try {
    const onProgress = (done: number, all: number) => process.stderr.write(`\r${done} of ${all} parts`);
    const { resources, faults } = await recordAccount(session, {
      provider,
      folder,
      signal: stopped.signal,
      onProgress,
    });
    process.stderr.write('\n');
    process.stdout.write(
      `Recorded ${resources} resources in ${folder}; ${faults} parts could not be read to their end.\n`,
    );
    process.stdout.write(
      'Secrets were removed. Read the files before you share them: IDs, names and addresses are in them.\n',
    );
  } finally {
    process.removeListener('SIGINT', stop);
    session.close();
  }
}

async function openAdapter(provider: RecordCommandOptions['provider']) {
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
    const service_account_json = await readFile(readVariable('GOOGLE_APPLICATION_CREDENTIALS'), 'utf8');
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
  if (value === undefined || value === '') throw new Failure(`Set ${name} to the credential of the account.`);
  return value;
}

/** Only stored credentials are used, so that no token is signed. */
async function failWithoutIssuer(): Promise<never> {
  throw new Failure('This command signs no tokens.');
}
