import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import { InvalidInput } from '../../lib/errors.ts';
import type { StateSources } from './service.ts';
import type { RefreshResult, StateSource } from './types.ts';

type SourceOperations =
  | 'listStateSources'
  | 'createStateSource'
  | 'getStateSource'
  | 'deleteStateSource'
  | 'refreshStateSource'
  | 'uploadState';

export function stateSourceRoutes({ sources }: Pick<StateSources, 'sources'>): Pick<Handlers, SourceOperations> {
  return {
    async listStateSources({ org, query: { limit, offset, kind, parent_glob_id } }) {
      const { sources: page, total } = await sources.list(org, { kind, parent_glob_id }, { limit, offset });
      return { status: 200, body: { limit, offset, state_sources: page.map(sourceRecord), total } };
    },

    async createStateSource({ principal, org, body, once }) {
      return once(
        (source: StateSource) => {
          const Location = `/api/v2/orgs/${org.id}/state-sources/${source.id}`;
          return { status: 201, body: sourceRecord(source), headers: { Location } };
        },
        (keep) => sources.create(principal, org, { ...body, config: { ...body.config } }, keep),
      );
    },

    async getStateSource({ org, path }) {
      return { status: 200, body: sourceRecord(await sources.get(org, path.src_id)) };
    },

    async deleteStateSource({ principal, org, path }) {
      await sources.remove(principal, org.id, path.src_id);
      return { status: 204 };
    },

    async refreshStateSource({ principal, org, path }) {
      return { status: 200, body: refreshRecord(await sources.refresh(principal, org.id, path.src_id)) };
    },

    async uploadState({ principal, org, path, attachment }) {
      const file = attachment as Uint8Array;
      return { status: 200, body: refreshRecord(await sources.upload(principal, org.id, path.src_id, file)) };
    },
  };
}

/** Records that must exist before the body of a request is read. */
export function stateSourcePathChecks({ sources }: Pick<StateSources, 'sources'>) {
  return {
    uploadState: ({ org_id, path }: { org_id: string; path: Record<string, string> }) =>
      sources.find(org_id, path['src_id'] ?? ''),
  };
}

/** A state is not parsed on the event loop: the handler gets its bytes as they arrived. */
export function stateSourceBodyReaders() {
  return {
    async uploadState({ headers }: { headers: IncomingHttpHeaders }) {
      const hash = createHash('sha256');
      return {
        is_file: true,
        update: (chunk: Uint8Array) => void hash.update(chunk),
        async end(raw: Buffer) {
          assertIntact(headers['x-content-sha256'], hash.digest('hex'));
          return { body: {}, attachment: raw };
        },
      };
    },
  };
}

/** @throws InvalidInput if the caller sent other bytes than those that arrived */
function assertIntact(expected: string | string[] | undefined, received: string): void {
  if (expected === undefined || expected === received) return;
  const message = `X-Content-SHA256 does not match: the received bytes have ${received}`;
  const details = [{ path: '/headers/X-Content-SHA256', message, code: 'invalid_request' }];
  throw new InvalidInput(`${message}; send the file again`, 'invalid_request', { details });
}

function sourceRecord(source: StateSource) {
  return pickFields(source, [
    'id',
    'org_id',
    'cloud_account_id',
    'kind',
    'display_name',
    'config',
    'workspaces',
    'parent_glob_id',
    'latest_snapshot_id',
    'last_fetched_at',
    'last_fetch_error',
    'missing_since',
    'created_at',
  ]);
}

function refreshRecord(result: RefreshResult) {
  return pickFields(result, [
    'content_hash',
    'last_fetched_at',
    'refreshed',
    'resource_count',
    'parse_failure_count',
    'snapshot_id',
  ]);
}
