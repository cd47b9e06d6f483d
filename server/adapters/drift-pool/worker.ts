/** Runs on a worker thread, the only place of the service where accounts are compared with states. */
import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { documentParsers } from '../../../engine/documents/index.ts';
import { createDrift, type DriftComputation } from '../../../engine/drift/index.ts';
import { compileRules } from '../../../engine/rules/index.ts';
import type { StateInstance, StateValues } from '../../../engine/state/index.ts';
import { markBegin } from '../../threads/thread-clock.ts';
import type { Marked } from '../../threads/threads.ts';
import { unpackLines } from '../state-pool/lines.ts';
import { createEarlier } from './earlier.ts';
import { createLives } from './lives.ts';
import { type StateFact, toComputedDrift } from './outcome.ts';
import { createSharedTexts, type SharedTexts } from './shared-texts.ts';
import type { ComputedDrift, DriftHead, DriftPart, DriftTask } from './types.ts';

export default async function run({ mark, head, port }: Marked<DriftTask>): Promise<ComputedDrift> {
  markBegin(mark);
  try {
    return await compute(head, port);
  } finally {
    port.close();
  }
}

async function compute(head: DriftHead, port: MessagePort): Promise<ComputedDrift> {
  const earlier = createEarlier();
  const lives = createLives(head.account.provider);
  const states: StateFact[] = [];
  const texts = createSharedTexts();
  const computation = createDrift({
    account: { ...head.account, ...head.ledger },
    now: head.now,
    ignore_rules: head.ignore_rules,
    book: compileRules(head.rules, { repo: null, branch: null, now: new Date(head.now) }),
    noise_key: head.noise_key,
    parsers: () => documentParsers,
    onMatched: lives.match,
    earlier,
    isReadAgain: earlier.isReadAgain,
  });
  for await (const part of receive(port)) {
    if (part.kind === 'previous') earlier.add(part.keys);
    if (part.kind === 'state') states.push(await addState(computation, texts, part));
    if (part.kind === 'live') for (const live of part.resources) computation.addLive(lives.add(live));
  }
  const parse_failure_count = states.reduce((sum, { failures }) => sum + failures, 0);
  return toComputedDrift(computation.end({ parse_failure_count }), { states, lives });
}

async function* receive(port: MessagePort): AsyncIterable<Exclude<DriftPart, { kind: 'end' }>> {
  for (;;) {
    const answered = once(port, 'message') as Promise<[DriftPart]>;
    port.postMessage('next');
    const [part] = await answered;
    if (part.kind === 'end') return;
    yield part;
  }
}

/** A state that could not be fetched counts as one failure more, because its copy may be out of date. */
async function addState(
  computation: DriftComputation,
  texts: SharedTexts,
  { state, resources }: Extract<DriftPart, { kind: 'state' }>,
): Promise<StateFact> {
  const { source_id, display_name, problem, parse_failure_count } = state;
  if (resources !== null) {
    for await (const line of unpackLines(resources)) {
      const { identifiers, attributes, identity, ...instance } = JSON.parse(line) as StateInstance & StateValues;
      texts.share(attributes);
      const values = { identifiers: texts.shareIdentifiers(identifiers, attributes), attributes, identity };
      computation.addInstance(instance, values, source_id);
    }
  }
  return { display_name, problem, failures: parse_failure_count + (problem === null ? 0 : 1) };
}
