import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../server/lib/package-root.ts';
import { makeAws } from './aws.ts';
import { makeAzure } from './azure.ts';
import { writeAccount } from './build.ts';
import { makeGcp } from './gcp.ts';
import { writeState } from './state.ts';

/**
 * Writes the bundled account `fixture://shop`: one account of each cloud, made up by the files of this folder, and a state
 * that declares all of it.
 */
const folder = join(packageRoot(), 'recorded-accounts', 'shop');
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const accounts = [makeAws(), makeGcp(), makeAzure()];
for (const account of accounts) {
  process.stdout.write(`${account.provider}: ${await writeAccount(folder, account)} resources\n`);
}
await writeFile(join(folder, 'state.json'), writeState(accounts));
