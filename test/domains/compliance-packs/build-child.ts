/** Builds a pack in a process of its own, in each of the given time zones, and prints the hash of each artifact. */
import { Buffer } from 'node:buffer';
import { startPacksProcess } from './process.ts';

interface Task {
  url: string;
  blob_root: string;
  pack: { org_id: string; id: string };
  zones: string[];
}

const { pack, zones, ...options }: Task = JSON.parse(Buffer.from(process.argv[2] ?? '', 'base64').toString());
const packs = startPacksProcess(options);
for (const zone of zones) {
  process.env['TZ'] = zone;
  const before = await packs.requests.get(pack.org_id, pack.id);
  if (before.status === 'done') await packs.reopen(pack);
  await packs.run(pack, new AbortController().signal);
  const { artifact_sha256, status } = await packs.requests.get(pack.org_id, pack.id);
  process.stdout.write(
    `${JSON.stringify({ zone, offset: new Date(0).getTimezoneOffset(), status, artifact_sha256 })}\n`,
  );
}
await packs.close();
