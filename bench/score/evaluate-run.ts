import { createTask, type EvaluationSet, readSet, type Verdict } from './evaluation.ts';
import { askModel, type Client, connectModel, NO_MODEL } from './platform-model.ts';

export interface EvaluateOptions {
  /** Files of evaluation sets. */
  files: readonly string[];
  /** The model is configured in `LLM_PLATFORM_…`, as for the service. */
  env: Readonly<Record<string, string | undefined>>;
  print: (line: string) => void;
}

/** 0: enough cases passed; 1: too few did; 2: no model is configured. */
export type ExitCode = 0 | 1 | 2;

/**
 * Sends every case of the sets to the configured model, one after the other, and prints a row for each, and for each
 * set the share of passed cases and the tokens. A case has one attempt; the service would make two.
 *
 * @throws ConfigError if the environment is invalid; LlmError `rejected` if no request can be made from it
 */
export async function evaluate({ files, env, print }: EvaluateOptions): Promise<ExitCode> {
  const client = await connectModel(env);
  if (client === null) {
    print(NO_MODEL);
    return 2;
  }
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

function toUnansweredVerdict(error: string): Verdict {
  return { faults: [`gave no answer: ${error}`], dropped: [] };
}
