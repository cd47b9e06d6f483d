import type { Orgs } from '../server/domains/orgs/index.ts';
import type { PullRequests } from '../server/domains/pull-requests/index.ts';
import type { BaseUrls } from '../server/lib/web-links.ts';
import type { Logger } from '../server/log.ts';
import type { JobDefinition } from '../server/queue/index.ts';
import type { FindPlans } from './artifacts/index.ts';
import { createCommands } from './commands/answer.ts';
import { createCollectPlans } from './deliveries/collect.ts';
import { createAnswerCommand } from './deliveries/commands.ts';
import { createEventHandler } from './deliveries/events.ts';
import { createDeliveryHandler } from './deliveries/handle-delivery.ts';
import type { Connect, Deliveries, JudgeLocally, OnForbidden } from './ports.ts';
import { createPlanResultReader } from './reviews/outcomes.ts';
import { createReviewPublisher } from './reviews/publish.ts';
import { createResults } from './reviews/results.ts';
import { createPlanSubmitter } from './reviews/submit.ts';
import { createWorkOnSource } from './sources.ts';

export { createFindPlans } from './artifacts/index.ts';
export type { Connect, ConnectedSource, Delivery } from './ports.ts';

export interface BotDeps {
  deliveries: Deliveries;
  pullRequests: PullRequests;
  orgs: Pick<Orgs, 'get' | 'getSettings'>;
  connect: Connect;
  onForbidden: OnForbidden;
  findPlans: FindPlans;
  judgeLocally: JudgeLocally;
  /** Base addresses of links for people. */
  base_urls: BaseUrls;
  now: () => Date;
  log: Logger;
}

/** The queues of the bot. Retry delays double from five seconds; sweeps retry after longer outages. */
export const BOT_QUEUES = [
  { queue: 'scm', concurrency: 8, attempts: 6 },
  { queue: 'pull-request', concurrency: 8, attempts: 6 },
] as const;

/** The pull request bot: handles deliveries of Git hosts, and keeps one comment and one check up to date. */
export function createBot(deps: BotDeps): JobDefinition[] {
  const { pullRequests } = deps;
  const results = createResults();
  const handleEvent = createEventHandler({
    pullRequests,
    collect: createCollectPlans(deps),
    answer: createAnswerCommand({ ...deps, results, commands: createCommands({ ...deps, ...deps.base_urls }) }),
  });
  const workOnSource = createWorkOnSource(deps);
  const delivery = createDeliveryHandler({ ...deps, workOnSource, handleEvent });
  const publish = createReviewPublisher({
    ...deps,
    workOnSource,
    submit: createPlanSubmitter(deps),
    readResult: createPlanResultReader({ results, judgeLocally: deps.judgeLocally }),
  });
  const [scm, pull_request] = BOT_QUEUES;
  return [
    { ...scm, run: delivery.run },
    { ...pull_request, run: (payload, signal) => pullRequests.runUnderLease(payload, publish, signal) },
  ];
}
