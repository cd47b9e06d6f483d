import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runScore } from '../../bench/score/score-command.ts';
import type { SetScore } from '../../bench/score/score-set.ts';
import { completeWith, json, type Reply, startWireServer, type WireServer } from '../adapters/llm/wire-server.ts';
import { buildAnswer } from '../engine/explain/model.ts';
import { createSets, writeTable } from './set-files.ts';

const sets = createSets();
let model: WireServer;
beforeAll(async () => {
  model = await startWireServer();
});
afterAll(async () => {
  sets.remove();
  await model.close();
});

/** A queue whose messages are kept for a shorter time, which the label calls dangerous. */
function writeSet(): string {
  const change = (from: number, to: number) =>
    JSON.stringify({
      format_version: '1.2',
      resource_changes: [
        {
          address: 'parcel_queue.orders',
          mode: 'managed',
          type: 'parcel_queue',
          name: 'orders',
          provider_name: 'registry.example.com/parcel/parcel',
          change: { actions: ['update'], before: { window: from }, after: { window: to }, after_unknown: {} },
        },
      ],
    });
  return sets.write({
    'risky.json': change(900, 7),
    'safe.json': change(900, 901),
    'LABELS.tsv': writeTable(
      'file|expected|acceptable|reason|key_addresses',
      'risky.json|high|high|orders are lost|parcel_queue.orders=high',
      'safe.json|low|none-low|nothing is lost|parcel_queue.orders=none-low',
    ),
    'PAIRS.tsv': writeTable('risky|safe|why', 'risky.json|safe.json|900 or 7'),
  });
}

const CONCERN = {
  address: 'parcel_queue.orders',
  path: 'window',
  category: 'data_loss',
  level: 'high',
  sentence: 'Orders that wait longer than `window` are lost.',
  before: 900,
  after: 7,
};

async function score(reply: Reply, ...args: string[]) {
  model.reply(reply);
  const lines = { out: '', err: '' };
  const print = { log: (text: string) => (lines.out += text), error: (text: string) => (lines.err += text) };
  const env = { LLM_PLATFORM_PROVIDER: 'openai', LLM_PLATFORM_API_KEY: 'sk-test', LLM_ENDPOINT_OPENAI: model.url };
  return { code: await runScore([writeSet(), '--model', ...args], print, env), ...lines };
}

describe('npm run score --model', () => {
  test('counts a concern that cites the plan, for the plan and for the change, and drops one that does not', async () => {
    const { out } = await score(completeWith(buildAnswer({ concerns: [CONCERN] })), '--json');

    const { scores, card } = JSON.parse(out) as SetScore & { card: object };
    expect(scores.map(({ level }) => level)).toEqual(['high', 'low']);
    expect(scores[0]?.reasons[0]).toBe('high data_loss parcel_queue.orders: window');
    expect(scores[1]?.reasons.join()).toContain(
      'left out: concern about parcel_queue.orders states values that differ',
    );
    expect(card).toMatchObject({ key_addresses: { hit: 2, of: 2 }, pairs: { hit: 1, of: 1 } });
    expect(model.requests).toHaveLength(2);
  });

  test.each([
    ['refuses the request', json(400, { error: { message: 'no such model' } })],
    ['gives an answer that is no explanation', completeWith('Looks good.')],
  ])('rates a plan by its rules alone if the model %s, and says so', async (_what, reply) => {
    const { code, out } = await score(reply);

    expect(code).toBe(0);
    expect(out).toContain('! risky.json: low, expected high (too quiet)');
    expect(out).toMatch(/ {4}ours: {3}without the model: \S/);
  });

  test('lists the settings if no model is configured', async () => {
    const lines: string[] = [];
    const code = await runScore([writeSet(), '--model'], { log: fail, error: (text) => lines.push(text) }, {});

    expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(/LLM_PLATFORM_PROVIDER/)] });
  });

  test('is not combined with another tool', async () => {
    const { code, err } = await score(json(500, {}), '--command', 'tool {plan}');

    expect({ code, err }).toEqual({ code: 1, err: 'Use either --command or --model.' });
  });
});

function fail(text: string): void {
  throw new Error(text);
}
