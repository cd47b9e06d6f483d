/** Runs on a worker thread, the only place of the service where accounts are compared with states. */
import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { documentParsers } from '../../../engine/documents/index.ts';
import { createDrift, type DriftComputation, type DriftReport } from '../../../engine/drift/index.ts';
import { compileRules } from '../../../engine/rules/index.ts';
import type { StateInstance, StateValues } from '../../../engine/state/index.ts';
import { markBegin } from '../../threads/thread-clock.ts';
import type { Marked } from '../../threads/threads.ts';
import { unpackLines } from '../state-pool/lines.ts';
import { createEarlier } from './earlier.ts';
import { createLives, type Lives } from './lives.ts';
import { type StateFact, toPackedDrift } from './outcome.ts';
import { createSharedValues, type SharedValues } from './shared-values.ts';
import type { DriftHead, DriftPart, DriftTask, PackedDrift } from './types.ts';

/** @returns a `PackedDrift`, whose bytes are moved */
export default async function run({ mark, head, port }: Marked<DriftTask>): Promise<ReturnType<typeof move>> {
  markBegin(mark);
  try {
    const lives = createLives(head.account.provider);
    const { report, states } = await compare(head, port, lives);
    return moveBytes(toPackedDrift(report, { states, lives }));
  } finally {
    port.close();
  }
}

/** A function of its own, so that nothing but its report is in memory when that is packed. */
async function compare(head: DriftHead, port: MessagePort, lives: Lives): Promise<Compared> {
  const earlier = createEarlier();
  const states: StateFact[] = [];
  const shared = createSharedValues();
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
    if (part.kind === 'state') states.push(await addState(computation, shared, part));
    if (part.kind === 'live') for (const live of part.resources) computation.addLive(lives.add(live));
  }
  const parse_failure_count = states.reduce((sum, { failures }) => sum + failures, 0);
  return { report: computation.end({ parse_failure_count }), states };
}

interface Compared {
  report: DriftReport;
  states: StateFact[];
}

function moveBytes(drift: PackedDrift): ReturnType<typeof move> {
  const buffers = [...drift.items, ...drift.matches].map(({ buffer }) => buffer);
  return move({ [transferableSymbol]: buffers, [valueSymbol]: drift });
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
  shared: SharedValues,
  { state, resources }: Extract<DriftPart, { kind: 'state' }>,
): Promise<StateFact> {
  const { source_id, display_name, problem, parse_failure_count } = state;
  if (resources !== null) {
    for await (const line of unpackLines(resources)) {
      const { identifiers, attributes, identity, ...instance } = JSON.parse(line) as StateInstance & StateValues;
      shared.shareAttributes(attributes);
      const values = { identifiers: shared.shareIdentifiers(identifiers, attributes), attributes, identity };
      computation.addInstance(instance, values, source_id);
    }
  }
  return { display_name, problem, failures: parse_failure_count + (problem === null ? 0 : 1) };
}
