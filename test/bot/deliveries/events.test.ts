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
    pullRequests: {
      find: async () => undefined,
      track: async () => ({}) as never,
      reportApproval: async () => {},
    },
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

describe('a pull request with a published review', () => {
  /** @returns whether its approval is reported, and how often the host was asked about approvals */
  async function change(
    risk_level: string | null,
    hosted: { state: HostedPullRequest['state']; head_sha?: string },
    is_approved = true,
  ) {
    const reported: string[] = [];
    let asked = 0;
    const published = risk_level === null ? null : { risk_level, head_sha: RUN.head_sha };
    const events = createEventHandler({
      pullRequests: {
        find: async () => ({ id: 'p', published }) as never,
        track: async () => ({}) as never,
        reportApproval: async (_org, id) => void reported.push(id),
      },
      collect: async () => false,
      answer: async () => false,
    });
    const platform = {
      getPullRequest: async () => ({ ...PR, head_sha: RUN.head_sha, ...hosted }),
      isApproved: async () => {
        asked += 1;
        return is_approved;
      },
    };
    const source = { config_id: 'c', installation_row_id: null };
    await events({ org_id: 'o', source, platform } as unknown as ConnectedSource, {
      what: 'pull_request_changed',
      pr: PR,
    });
    return { is_reported: reported.length === 1, asked };
  }

  test('is reported if critical plans are approved or merged', async () => {
    expect(await change('critical', { state: 'open' })).toEqual({ is_reported: true, asked: 1 });
    expect(await change('critical', { state: 'merged' })).toEqual({ is_reported: true, asked: 0 });
  });

  test('is not reported if nobody approved it, if it was closed, or if its risk is lower', async () => {
    expect(await change('critical', { state: 'open' }, false)).toEqual({ is_reported: false, asked: 1 });
    expect(await change('critical', { state: 'closed' })).toEqual({ is_reported: false, asked: 0 });
    expect(await change('high', { state: 'merged' })).toEqual({ is_reported: false, asked: 0 });
    expect(await change(null, { state: 'merged' })).toEqual({ is_reported: false, asked: 0 });
  });

  test('an approval of a newer commit than the review is not reported, but its merge is', async () => {
    const head_sha = 'b'.repeat(40);
    expect(await change('critical', { state: 'open', head_sha })).toEqual({ is_reported: false, asked: 0 });
    expect(await change('critical', { state: 'merged', head_sha })).toEqual({ is_reported: true, asked: 0 });
  });
});
