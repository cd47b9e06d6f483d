import type { PlanAnalysis } from '../../engine/index.ts';
import type { BotEvent, HostedPullRequest } from '../../server/adapters/scm/types.ts';
import type { PullRequest, PullRequests } from '../../server/domains/pull-requests/index.ts';
import type { createCommands } from '../commands/answer.ts';
import { readCommand } from '../commands/parse.ts';
import type { CommandReply } from '../commands/types.ts';
import type { ConnectedSource, OrgPolicy } from '../ports.ts';
import type { Results } from '../reviews/results.ts';

type CommandEvent = Extract<BotEvent, { what: 'command' }>;
export type CollectAgain = (connected: ConnectedSource, pr: HostedPullRequest) => Promise<boolean>;

/** @returns false if the author has no write access */
export type AnswerCommand = (
  connected: ConnectedSource,
  event: CommandEvent,
  collectAgain: CollectAgain,
) => Promise<boolean>;

export interface AnswerCommandDeps {
  pullRequests: Pick<PullRequests, 'track' | 'findPlans' | 'addAnswer' | 'setQuiet'>;
  orgs: Pick<OrgPolicy, 'get'>;
  results: Results;
  commands: ReturnType<typeof createCommands>;
}

const NO_PLANS = 'The artifacts of the newest runs contain no plan, so there is nothing to analyze.';

/** Answers commands of users with write access, in a separate comment. Other commands are ignored. */
export function createAnswerCommand({ pullRequests, orgs, results, commands }: AnswerCommandDeps): AnswerCommand {
  return async (connected, { pr: ref, comment_id, author, line }, collectAgain) => {
    const { org_id, source, platform } = connected;
    if ((await platform.readPermission(ref.repo, author)) !== 'write') return false;
    const hosted = await platform.getPullRequest(ref);
    const pull_request = await pullRequests.track(org_id, source, hosted);
    if (pull_request.answers.some((answer) => answer.comment_id === comment_id)) return true;

    await platform.react(ref, comment_id);
    const { slug } = await orgs.get(org_id);
    const reply = await commands.answer(readCommand(line), {
      dpa: connected.dpa,
      org: { id: org_id, slug },
      dialect: platform.dialect,
      plans: await loadPlans(connected, pull_request),
    });
    const body = await applyEffect(reply, connected, hosted, pull_request, collectAgain);
    await pullRequests.addAnswer(org_id, pull_request.id, { comment_id, author, title: reply.title, body });
    return true;
  };

  async function applyEffect(
    { effect, body }: CommandReply,
    connected: ConnectedSource,
    hosted: HostedPullRequest,
    { org_id, id }: PullRequest,
    collectAgain: CollectAgain,
  ): Promise<string> {
    if (effect === 'quiet' || effect === 'unquiet') await pullRequests.setQuiet(org_id, id, effect === 'quiet');
    if (effect === 'rescan' && !(await collectAgain(connected, hosted))) return NO_PLANS;
    return body;
  }

  async function loadPlans({ dpa }: ConnectedSource, { org_id, id }: PullRequest) {
    const plans = await pullRequests.findPlans(org_id, id);
    return Promise.all(
      plans.map(async ({ plan_key, job_id }): Promise<{ key: string; analysis: PlanAnalysis | null }> => {
        const result = job_id === null ? null : await results.read(dpa, org_id, job_id);
        return { key: plan_key, analysis: result?.state === 'done' ? result.analysis : null };
      }),
    );
  }
}
