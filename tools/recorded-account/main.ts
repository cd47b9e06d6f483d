import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../server/lib/package-root.ts';
import { makeAws } from './aws.ts';
import { makeAzure } from './azure.ts';
import { writeAccount } from './build.ts';
import { driftState, IGNORE_RULES } from './drifted.ts';
import { makeGcp } from './gcp.ts';
import { declareAll, writeState } from './state.ts';

/**
 * Writes the bundled account `fixture://shop`: one account of each cloud, made up by the files of this folder, a state that
 * declares all of it, and an older state from which it drifted, with rules that accept some of that drift.
 */
const folder = join(packageRoot(), 'recorded-accounts', 'shop');
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const accounts = [makeAws(), makeGcp(), makeAzure()];
for (const account of accounts) {
  process.stdout.write(`${account.provider}: ${await writeAccount(folder, account)} resources\n`);
}
const declared = declareAll(accounts);
await writeFile(join(folder, 'state.json'), writeState(declared));
await writeFile(join(folder, 'drifted-state.json'), writeState(driftState(declared)));
await writeFile(join(folder, 'drift-ignore.yaml'), IGNORE_RULES);
