import { createGuardedFetch } from '../../server/adapters/egress/index.ts';
import { createLlmClients } from '../../server/adapters/llm/index.ts';
import { loadConfig } from '../../server/config/index.ts';
import { createTask, type EvaluationSet, readSet, type Verdict } from './evaluation.ts';

type Client = Awaited<ReturnType<ReturnType<typeof createLlmClients>>>;

export interface EvaluateOptions {
  /** Files of evaluation sets. */
  files: readonly string[];
  /** The model is configured in `LLM_PLATFORM_…`, as for the service. */
  env: Readonly<Record<string, string | undefined>>;
  print: (line: string) => void;
}

/** 0: enough cases passed; 1: too few did; 2: no model is configured. */
export type ExitCode = 0 | 1 | 2;

const MAX_OUTPUT_TOKENS = 3_000;
const CALL_MS = 90_000;

/**
 * Sends every case of the sets to the configured model, one after the other, and prints a row for each, and for each
 * set the share of passed cases and the tokens. A case has one attempt; the service would make two.
 *
 * @throws ConfigError if the environment is invalid; LlmError `rejected` if no request can be made from it
 */
export async function evaluate({ files, env, print }: EvaluateOptions): Promise<ExitCode> {
  const { platform, ...settings } = loadConfig(env).llm;
  if (platform === null) {
    print('no model is configured: set LLM_PLATFORM_PROVIDER and what its provider needs, as for the service');
    return 2;
  }
  const client = await createLlmClients({ settings, egress: createGuardedFetch() })(platform);
  print(`model ${client.model}`);
  let missed = 0;
  for (const file of files) missed += await evaluateSet(readSet(file), client, print);
  return missed === 0 ? 0 : 1;
}

async function evaluateSet(set: EvaluationSet, client: Client, print: (line: string) => void): Promise<number> {
  const { prompt_version, cases } = set;
  const tokens = { in: 0, out: 0 };
  let passed = 0;
  for (const one of cases) {
    const { prompt, judge } = createTask(one, set);
    const reply = await askModel(client, prompt);
    const { faults, dropped } = reply.answer === null ? toUnansweredVerdict(reply.error) : judge(reply.answer);
    tokens.in += reply.input_tokens;
    tokens.out += reply.output_tokens;
    if (faults.length === 0) passed += 1;
    print(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${prompt_version.padEnd(12)} ${one.name}`);
    for (const fault of faults) print(`       ${fault}`);
    for (const { what, why } of dropped) print(`       left out: "${what}" ${why}`);
  }
  const share = ((100 * passed) / cases.length).toFixed(1);
  print(
    `${prompt_version}: ${passed} of ${cases.length} passed (${share} %), ${tokens.in} tokens in, ${tokens.out} out`,
  );
  return cases.length - passed;
}

type Prompt = ReturnType<typeof createTask>['prompt'];

interface ModelReply {
  /** null: there is none, and `error` says why. */
  answer: string | null;
  error: string;
  input_tokens: number;
  output_tokens: number;
}

async function askModel(client: Client, { system, user, schema }: Prompt): Promise<ModelReply> {
  const request = { system, user, schema, max_output_tokens: MAX_OUTPUT_TOKENS };
  try {
    const { text, input_tokens, output_tokens } = await client.ask(request, AbortSignal.timeout(CALL_MS));
    return { answer: text, error: '', input_tokens: input_tokens ?? 0, output_tokens: output_tokens ?? 0 };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'the call failed';
    return { answer: null, error: why, input_tokens: 0, output_tokens: 0 };
  }
}

function toUnansweredVerdict(error: string): Verdict {
  return { faults: [`gave no answer: ${error}`], dropped: [] };
}
