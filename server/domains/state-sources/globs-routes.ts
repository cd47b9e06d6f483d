import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import type { StateSources } from './service.ts';
import type { CreatedGlob, Glob } from './types.ts';

type GlobOperations =
  | 'listStateSourceGlobs'
  | 'createStateSourceGlob'
  | 'previewStateSourceGlob'
  | 'deleteStateSourceGlob'
  | 'refreshStateSourceGlobChildren'
  | 'rescanStateSourceGlob';

export function globRoutes({ globs, rescanner, children }: StateSources): Pick<Handlers, GlobOperations> {
  return {
    async listStateSourceGlobs({ org }) {
      return { status: 200, body: (await globs.list(org.id)).map(globRecord) };
    },

    async createStateSourceGlob({ principal, org, body, once }) {
      return once(
        ({ glob, added, total_matches, truncated }: CreatedGlob) => {
          return { status: 201, body: { added, glob: globRecord(glob), total_matches, truncated } };
        },
        (keep) => globs.create(principal, org.id, body, keep),
      );
    },

    async previewStateSourceGlob({ org, body }) {
      const preview = await globs.preview(org.id, body);
      const fields = ['plan_remaining', 'total_matches', 'would_add', 'would_exceed_plan', 'would_truncate'] as const;
      return { status: 200, body: pickFields(preview, fields) };
    },

    async deleteStateSourceGlob({ principal, org, path }) {
      await globs.remove(principal, org.id, path.glob_id);
      return { status: 204 };
    },

    async refreshStateSourceGlobChildren({ principal, org, path, once }) {
      return once(
        ({ queued }: { queued: number }) => ({ status: 202, body: { queued } }),
        (keep) => children.refreshAll(principal, org.id, path.glob_id, keep),
      );
    },

    async rescanStateSourceGlob({ principal, org, path }) {
      const { added, total, truncated } = await rescanner.rescan(principal, org.id, path.glob_id);
      return { status: 200, body: { added, total, truncated } };
    },
  };
}

function globRecord(glob: Glob) {
  return {
    ...pickFields(glob, [
      'id',
      'org_id',
      'cloud_account_id',
      'provider',
      'bucket',
      'region',
      'storage_account',
      'display_name',
      'child_count',
      'created_at',
      'last_rescan_at',
      'last_rescan_error',
      'last_rescan_severity',
    ]),
    prefix: glob.prefix || null,
  };
}
