import type { Source } from '../../server/adapters/scm/types.ts';
import type { PullRequestSource } from '../../server/domains/pull-requests/index.ts';

/** The columns that identify a source. */
export function toSourceKey({ kind, id }: Source): PullRequestSource {
  return kind === 'config'
    ? { config_id: id, installation_row_id: null }
    : { config_id: null, installation_row_id: id };
}
