import { describe, expect, test } from '@jest/globals';
import { createEventHandler } from '../../../bot/deliveries/events.ts';
import type { ConnectedSource } from '../../../bot/ports.ts';
import type { CiRun, HostedPullRequest } from '../../../server/adapters/scm/types.ts';

const PR = { repo: 'acme/infra', pr_number: 5 };
const RUN: CiRun = { id: '7', number: 701, head_sha: 'a'.repeat(40), url: 'https://github.com/acme/infra/runs/7' };

/** A new pull request in this state, with these runs of its head. */
async function handleChange(state: HostedPullRequest['state'], runs: CiRun[]) {
  const collected: (readonly CiRun[])[] = [];
  const events = createEventHandler({
    pullRequests: { find: async () => undefined, track: async () => ({}) as never },
    collect: async (_connected, _pr, found) => collected.push(found) > 0,
    answer: async () => false,
  });
  const platform = {
    getPullRequest: async () => ({ ...PR, state, head_sha: RUN.head_sha }),
    listRuns: async () => runs,
  };
  const connected = {
    org_id: 'o',
    source: { config_id: 'c', installation_row_id: null },
    platform,
  } as unknown as ConnectedSource;
  return { acted: await events(connected, { what: 'pull_request_changed', pr: PR }), collected };
}

describe('an untracked pull request', () => {
  test('gets the plans of pipelines that ended before it was opened', async () => {
    expect(await handleChange('open', [RUN])).toEqual({ acted: true, collected: [[RUN]] });
  });

  test('is ignored while no pipeline has run, and after it is closed', async () => {
    expect(await handleChange('open', [])).toEqual({ acted: false, collected: [] });
    expect(await handleChange('closed', [RUN])).toEqual({ acted: false, collected: [] });
  });
});
