/**
 * `node dist/bench/pull-requests/storm.js`: sends 1,000 deliveries of 200 pull requests, each three times and in random
 * order, while new commits are pushed. Each delivery must have its effect once, and each comment must end with the
 * newest commit.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { readMark } from '../../engine/index.ts';
import type { Delivery } from '../../test/fakes/github-server/deliveries.ts';
import { fetchDeliveries, openHarness, type PullRequestHarness, until, type WiredRepo } from './harness.ts';

const SOURCES = 20;
const PULLS = 10;
const PUSHES = 2;
const COPIES = 3;
const SENDERS = 8;
const DEADLINE_MS = 600_000;

interface Pull {
  wired: WiredRepo;
  number: number;
  head_sha: string;
  pushes: number;
}

interface QueuedDelivery {
  wired: WiredRepo;
  delivery: Delivery;
}

const begun = performance.now();
const harness = await openHarness();
try {
  process.exitCode = (await storm(harness)) ? 0 : 1;
} finally {
  await harness.close();
}

async function storm({ github, wire, dpa }: PullRequestHarness): Promise<boolean> {
  const pulls: Pull[] = [];
  const sources: WiredRepo[] = [];
  for (let n = 0; n < SOURCES; n += 1) {
    const wired = await wire(`storm-${n}`);
    sources.push(wired);
    for (let index = 0; index < PULLS; index += 1) {
      const { number, commits } = github.openPullRequest(wired.repo);
      pulls.push({ wired, number, head_sha: commits[0] ?? '', pushes: 0 });
    }
  }
  const answers = await sendAll(pulls);
  const sent = [...answers.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${sent} requests: ${JSON.stringify(Object.fromEntries(answers))}`);

  await until('every comment tells of the newest commit', DEADLINE_MS, async () => {
    await wait(250);
    return pulls.every(isUpToDate);
  });
  await until('every delivery is settled', DEADLINE_MS, async () => {
    await wait(250);
    return (await Promise.all(sources.map((one) => fetchDeliveries(dpa, one))))
      .flat()
      .every(({ finished_at }) => finished_at !== null);
  });
  const settled = (await Promise.all(sources.map((one) => fetchDeliveries(dpa, one)))).flat();
  await wait(3_000); // late deliveries, which could overwrite a comment
  const up_to_date = pulls.filter(isUpToDate).length;
  const comments = pulls.reduce((sum, { wired, number }) => sum + github.comments(wired.repo, number).length, 0);
  const failed = settled.filter(({ status }) => status === 'failed').length;
  const refused = github.requests.filter(({ status }) => status === 422).length;
  const accepted = answers.get(202) ?? 0;
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  console.log(
    `${accepted} accepted of ${settled.length} kept, ${failed} failed; ${up_to_date} of ${pulls.length} comments of the newest ` +
      `head, ${comments} comments in all; ${refused} answers 422; ${seconds} s`,
  );
  const expected = pulls.length * (1 + 2 * PUSHES);
  return (
    accepted === expected &&
    settled.length === expected &&
    failed === 0 &&
    up_to_date === comments &&
    up_to_date === pulls.length &&
    refused === 0
  );
}

/** Events happen in order at GitHub, but are delivered in any order. */
async function sendAll(pulls: Pull[]): Promise<Map<number, number>> {
  const queue: QueuedDelivery[] = [];
  const answers = new Map<number, number>();
  let producing = true;
  const post = (queued: QueuedDelivery) => queue.push(...Array.from({ length: COPIES }, () => queued));

  async function produceDeliveries(): Promise<void> {
    for (const pull of pulls) post(await addPlannedRun(pull));
    for (let push = 0; push < PUSHES; push += 1) {
      for (const pull of shuffle(pulls)) {
        post(pushCommit(pull));
        post(await addPlannedRun(pull));
      }
    }
    producing = false;
  }

  async function send(): Promise<void> {
    while (producing || queue.length > 0) {
      const [queued] = queue.splice(Math.floor(Math.random() * queue.length), 1);
      if (queued === undefined) await wait(5);
      else {
        const status = await harness.post(queued.wired, queued.delivery);
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    }
  }

  await Promise.all([produceDeliveries(), ...Array.from({ length: SENDERS }, send)]);
  return answers;
}

async function addPlannedRun({ wired, head_sha, number, pushes }: Pull): Promise<QueuedDelivery> {
  const change = { actions: ['update'], before: { delay_seconds: 1 }, after: { delay_seconds: 2 + pushes } };
  const address = `aws_sqs_queue.of_${number}_${pushes}`;
  const entry = { address, mode: 'managed', type: 'aws_sqs_queue', name: `of_${number}_${pushes}`, change };
  const plan = JSON.stringify({ format_version: '1.2', terraform_version: '1.11.4', resource_changes: [entry] });
  return { wired, delivery: await harness.run(wired, head_sha, plan) };
}

function pushCommit(pull: Pull): QueuedDelivery {
  const { wired, number } = pull;
  pull.head_sha = harness.github.push(wired.repo, number);
  pull.pushes += 1;
  const activity = { event: 'pull_request' as const, repo: wired.repo, pr_number: number, action: 'synchronize' };
  return { wired, delivery: harness.createDelivery(wired, activity) };
}

function isUpToDate({ wired, number, head_sha, pushes }: Pull): boolean {
  const [comment] = harness.github.comments(wired.repo, number);
  const body = comment?.body ?? '';
  return readMark(body)?.head_sha === head_sha && body.includes(`of_${number}_${pushes}`);
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
