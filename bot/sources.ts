import { PlatformError } from '../server/adapters/scm/types.ts';
import type { PullRequestSource } from '../server/domains/pull-requests/index.ts';
import type { Connect, ConnectedSource, OnForbidden } from './ports.ts';

export interface SourcesDeps {
  connect: Connect;
  onForbidden: OnForbidden;
}

/**
 * Does one unit of work for a source: a delivery, or a round of a pull request. The source is connected once, when the
 * work begins, so that each unit uses the current credential. If the Git host rejects that credential, it is checked.
 *
 * @returns the result of the work, or why the source cannot be connected
 * @throws errors of the work
 */
export type WorkOnSource = <T>(
  org_id: string,
  source: PullRequestSource,
  work: (connected: ConnectedSource) => Promise<T>,
) => Promise<{ result: T } | { missing: string }>;

export function createWorkOnSource({ connect, onForbidden }: SourcesDeps): WorkOnSource {
  return async (org_id, source, work) => {
    const connected = await connect(org_id, source);
    if ('missing' in connected) return connected;
    try {
      return { result: await work(connected) };
    } catch (error) {
      if (isForbidden(error)) await onForbidden(org_id, connected.source);
      throw error;
    }
  };
}

function isForbidden(error: unknown): boolean {
  return error instanceof PlatformError && error.error_class === 'forbidden';
}
