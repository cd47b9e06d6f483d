/**
 * `npm run check:packages`: packs @dpa/cli and @dpa/sdk, installs each tarball into an empty folder, and uses them with
 * the current version of Node against the service in this repository. Run it on each supported release line of Node.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkClient } from './client.ts';
import { checkAuditVerify, checkOffline, checkRemote, createDpaCommand } from './command.ts';
import { packAndInstall } from './install.ts';
import { startService } from './service.ts';

const MAX_BYTES = { cli: 8_000_000, sdk: 2_000_000 };

const scratch = await mkdtemp(join(tmpdir(), 'dpa-packages-'));
try {
  console.log(`on Node ${process.version}:`);
  const cli = await packAndInstall({ workspace: 'cli', max_bytes: MAX_BYTES.cli }, scratch);
  const sdk = await packAndInstall({ workspace: 'sdk', max_bytes: MAX_BYTES.sdk }, scratch);
  await checkOffline(cli);

  const service = await startService(join(scratch, 'data'));
  const { org_id } = await checkClient(sdk, service);
  await checkRemote(createDpaCommand(cli), { DPA_URL: service.url, DPA_TOKEN: service.token, DPA_ORG: org_id });
  await checkAuditVerify(cli, await service.stop());
} finally {
  await rm(scratch, { recursive: true, force: true });
}
