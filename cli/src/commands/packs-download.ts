import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ConnectionOptions, openConnection, openService } from '../connection.ts';
import { Failure } from '../failure.ts';
import { type Format, print } from '../output.ts';

interface DownloadOptions extends ConnectionOptions {
  output?: string;
  format: Format;
}

const NAME = /^attachment; filename="([A-Za-z0-9._-]{1,200})"$/;

interface Artifact {
  body: AsyncIterable<Uint8Array>;
  /** The name that the service gives the file; undefined if the object store sends it. */
  name: string | undefined;
  sha256: string;
}

/**
 * Writes a pack to a file, which stays only if it has the checksum that the service gave.
 *
 * @throws Failure if the file exists, or if its checksum differs
 */
export async function downloadPack(eid: string, options: DownloadOptions): Promise<void> {
  const { dpa, org_id } = await openConnection(options);
  const { status } = await dpa.call('getCompliancePack', { path: { id: org_id, eid } });
  if (status === 'pending' || status === 'running') {
    throw new Failure(`the pack is ${status}: wait for it with \`dpa packs get --wait ${eid}\``);
  }
  const { body, name, sha256 } = await openArtifact(`/orgs/${org_id}/audit-exports/${eid}/download`, options);
  const path = options.output ?? basename(name ?? `compliance-pack-${eid}.zip`);
  const bytes = await save(path, body, sha256);
  print(options, { path, bytes, sha256 }, () => `${path}  ${bytes} bytes\nsha256  ${sha256}\n`);
}

/** The credential goes to the service, and not to the object store to which it may redirect. */
async function openArtifact(path: string, options: DownloadOptions): Promise<Artifact> {
  const { url, credential } = await openService(options);
  const headers = { authorization: `Bearer ${await credential()}` };
  const answer = await fetch(`${url}/api/v2${path}`, { headers, redirect: 'manual' });
  const location = answer.headers.get('location');
  const sent = answer.status === 302 && location !== null ? await fetch(new URL(location, url)) : answer;
  if (!sent.ok || sent.body === null) throw new Failure(await describeRefusal(sent));
  const [, name] = NAME.exec(answer.headers.get('content-disposition') ?? '') ?? [];
  return { body: sent.body, name, sha256: answer.headers.get('x-checksum-sha256') ?? '' };
}

async function describeRefusal(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => undefined);
  const reason = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : 'no reason given';
  return `the pack was not sent (status ${answer.status}): ${reason}`;
}

async function save(path: string, body: AsyncIterable<Uint8Array>, expected: string): Promise<number> {
  const file = await createFile(path);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
    if (hash.digest('hex') !== expected) {
      throw new Failure('the downloaded file does not have the checksum that the service gave: download it again');
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return bytes;
}

async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Failure(`${path} exists: give another name with --output`);
  }
}
