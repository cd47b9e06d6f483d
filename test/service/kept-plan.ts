import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { pino } from 'pino';
import { loadConfig } from '../../server/config/index.ts';
import { createPullRequests } from '../../server/domains/pull-requests/index.ts';
import { openStores } from '../../server/stores.ts';
import type { TestService } from '../helpers/service.ts';

const pack = promisify(brotliCompress);
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const HEAD = '9fceb02d0ae598e95dc970b74767f19372d61af8';

/** Stores a plan for a new pull request of this repository, like the bot after reading an archive. @returns its id */
export async function keepPlan(
  { database_url, data_dir, admin_db }: TestService,
  org_id: string,
  config_id: string,
  plan_json: string,
): Promise<string> {
  const log = pino({ level: 'silent' });
  const stores = await openStores(loadConfig({ DATABASE_URL: database_url, DATA_DIR: data_dir }), log);
  try {
    const ports = { now: () => new Date(), log, enqueue: async () => {}, onApproved: async () => {} };
    const pullRequests = createPullRequests({ ...stores, ...ports });
    const source = { config_id, installation_row_id: null };
    const pr_number = randomInt(1, 1_000_000);
    const url = `https://github.com/acme/infra/pull/${pr_number}`;
    const pull_request = {
      repo: 'acme/infra',
      pr_number,
      url,
      state: 'open' as const,
      is_fork: false,
      branch: 'feature',
    };
    const { id } = await pullRequests.track(org_id, source, { ...pull_request, head_sha: HEAD });
    const plan = { plan_key: 'tfplan', plan_hash: '0'.repeat(64), payload: await pack(plan_json, FAST_BROTLI) };
    await pullRequests.addPlans(org_id, id, { id: '1', number: 1, head_sha: HEAD, url: `${url}/checks` }, [plan]);
    // As if its comment had been written: no bot of the service works on it while a test looks at it.
    await admin_db('pull_requests')
      .where({ id })
      .update({ published_revision: admin_db.ref('revision') });
    const [kept] = await pullRequests.findPlans(org_id, id);
    return kept?.id ?? '';
  } finally {
    await stores.close();
  }
}
