import type { Orgs } from '../server/domains/orgs/index.ts';
import type { PullRequests } from '../server/domains/pull-requests/index.ts';
import type { WebPlaces } from '../server/lib/web-links.ts';
import type { Logger } from '../server/log.ts';
import type { JobDefinition } from '../server/queue/index.ts';
import type { FindPlans } from './artifacts/index.ts';
import { createCommands } from './commands/answer.ts';
import { createCollect } from './deliveries/collect.ts';
import { createAnswerCommand } from './deliveries/commands.ts';
import { createEvents } from './deliveries/events.ts';
import { createDeliveryWork } from './deliveries/work.ts';
import type { Connect, Deliveries, JudgeAlone, OnForbidden } from './ports.ts';
import { createOutcomes } from './reviews/outcomes.ts';
import { createResults } from './reviews/results.ts';
import { createSubmit } from './reviews/submit.ts';
import { createTell } from './reviews/tell.ts';

export { createFindPlans } from './artifacts/index.ts';
export type { Connect, ConnectedSource } from './ports.ts';

export interface BotDeps {
  deliveries: Deliveries;
  pullRequests: PullRequests;
  orgs: Pick<Orgs, 'get' | 'getSettings'>;
  connect: Connect;
  onForbidden: OnForbidden;
  findPlans: FindPlans;
  judgeAlone: JudgeAlone;
  /** Where links lead that people follow. */
  places: WebPlaces;
  now: () => Date;
  log: Logger;
}

/** The queues that a bot works off. A wait doubles from five seconds: what lasts longer is taken up again by a sweep. */
export const BOT_QUEUES = [
  { queue: 'scm', concurrency: 8, attempts: 6 },
  { queue: 'pull-request', concurrency: 8, attempts: 6 },
] as const;

/** The bot of pull requests: acts on what hosts deliver, and keeps one comment and one check true. */
export function createBot(deps: BotDeps): JobDefinition[] {
  const { pullRequests } = deps;
  const results = createResults();
  const events = createEvents({
    pullRequests,
    collect: createCollect(deps),
    answer: createAnswerCommand({ ...deps, results, commands: createCommands({ ...deps, ...deps.places }) }),
  });
  const delivery = createDeliveryWork({ ...deps, act: events });
  const tell = createTell({
    ...deps,
    submit: createSubmit(deps),
    readOutcome: createOutcomes({ results, judgeAlone: deps.judgeAlone }),
  });
  const [scm, pull_request] = BOT_QUEUES;
  return [
    { ...scm, run: delivery.run },
    { ...pull_request, run: (payload, signal) => pullRequests.work(payload, tell, signal) },
  ];
}
