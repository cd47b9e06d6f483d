import type { GuardedFetch } from '../../egress/index.ts';
import type { Pace } from '../pace.ts';
import { type Platform, PlatformError } from '../types.ts';
import { toPlatformError } from './errors.ts';
import { readBounded } from './fetch.ts';
import type { Host } from './host.ts';
import { splitRepo } from './repo.ts';

const MOST_FILE_BYTES = 65_536;
const TIMEOUT_MS = 30_000;

export interface ContentsDeps {
  host: Host;
  /** For the artifact storage, which must not get the credential of the client and is not rate limited with it. */
  send: GuardedFetch;
  pace: Pace;
  now: () => Date;
}

export function createContents({
  host,
  send,
  pace,
  now,
}: ContentsDeps): Pick<Platform, 'readFile' | 'downloadArtifact'> {
  /** The link is valid for one minute and needs no credential. */
  async function fetchLink(url: string, max_bytes: number): Promise<Uint8Array> {
    const what = 'download an artifact';
    try {
      const answer = await send(url, { method: 'GET', headers: {}, signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (answer.status === 200) return await readBounded(answer, max_bytes);
      await answer.body?.cancel();
      throw new PlatformError(
        answer.status === 404 ? 'gone' : 'unavailable',
        `could not ${what}: the artifact storage of GitHub returned status ${answer.status}`,
      );
    } catch (error) {
      throw toPlatformError(error, what, now());
    }
  }

  return {
    async readFile(repo, path, sha) {
      const params = { ...splitRepo(repo), path, ref: sha };
      const file = await nullIfGone(host.ask('read', 'read a file', ({ rest }) => rest.repos.getContent(params)));
      if (file === null || Array.isArray(file) || file.type !== 'file' || !('content' in file)) return null;
      if (file.size > MOST_FILE_BYTES) return null;
      return Buffer.from(file.content, 'base64').toString();
    },
    async downloadArtifact(repo, { id, size }, max_bytes) {
      if (size !== null && size > max_bytes) {
        throw new PlatformError('too_large', `the artifact is larger than ${max_bytes} bytes`);
      }
      const request = { redirect: 'manual' } as const;
      const params = { ...splitRepo(repo), artifact_id: Number(id), archive_format: 'zip', request };
      const link = await host.askLocation('download an artifact', ({ rest }) => rest.actions.downloadArtifact(params));
      return pace.run('read', () => fetchLink(link, max_bytes));
    },
  };
}

async function nullIfGone<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof PlatformError && error.error_class === 'gone') return null;
    throw error;
  }
}
