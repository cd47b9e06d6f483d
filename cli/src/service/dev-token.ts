import { assertDataFolder } from '../data-folder.ts';
import { buildEnvironment } from '../environment.ts';

export interface DevTokenOptions {
  email: string;
  name?: string;
  dataDir?: string;
}

/** Prints only the token, so that `TOKEN=$(dpa dev-token --email …)` works. */
export async function devToken({ email, name, dataDir }: DevTokenOptions): Promise<void> {
  const { loadConfig } = await import('../../../server/config/index.ts');
  const { signDevToken } = await import('../../../server/adapters/oidc/index.ts');
  const { data_dir, production } = loadConfig(buildEnvironment(dataDir === undefined ? {} : { dataDir }));
  assertDataFolder(data_dir);
  const token = await signDevToken({ data_dir, email, production, ...(name === undefined ? {} : { name }) });
  process.stdout.write(`${token}\n`);
}
