/** The options of `npm run score`, and its exit code. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ScoreError } from './score-error.ts';
import { describeScore } from './score-report.ts';
import { type Rater, scoreFolder } from './score-set.ts';
import { buildScorecard, computePercent, RATES, type RateName, type Scorecard } from './scorecard.ts';
import { rateWithCommand, splitCommand } from './tool-command.ts';

const USAGE =
  'usage: npm run score -- <folder with LABELS.tsv, CATALOG.tsv or make/index.ts> ' +
  "[--model | --command 'tool {plan}'] [--timeout seconds] [--json] [--min-… percent] [--max-false-alarms percent]";
const DEFAULT_TIMEOUT_S = '60';
const MAX_TIMEOUT_S = 3600;

const GOALS = Object.fromEntries(RATES.map((name) => [toGoalOption(name), { type: 'string' as const }]));
const OPTIONS = {
  json: { type: 'boolean' },
  command: { type: 'string' },
  model: { type: 'boolean' },
  timeout: { type: 'string', default: DEFAULT_TIMEOUT_S },
  ...GOALS,
} as const;

type Values = Readonly<Record<string, string | boolean | undefined>>;
type Environment = Readonly<Record<string, string | undefined>>;

function toGoalOption(name: RateName): string {
  return `${name === 'false_alarms' ? 'max' : 'min'}-${name.replaceAll('_', '-')}`;
}

/**
 * Scores a folder and prints the result.
 *
 * @param env configures the model of `--model`, as for the service
 * @returns the exit code: 1 if a goal is missed, a secret is shown, or the arguments or the set are wrong
 */
export async function runScore(
  args: string[],
  output: { log(text: string): void; error(text: string): void },
  env: Environment = process.env,
): Promise<number> {
  try {
    const { folder, ...choice } = readArguments(args);
    const { values } = choice;
    const { scores, pairs } = await scoreFolder(folder, await pickRater(choice, env));
    const card = buildScorecard(scores, pairs);
    const missed = findMissedGoals(card, values);
    if (values['json'] === true) output.log(JSON.stringify({ card, missed, scores, pairs }, null, 2));
    else output.log([...describeScore({ scores, pairs }), ...missed.map((line) => `goal missed: ${line}`)].join('\n'));
    return missed.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof ScoreError)) throw error;
    output.error(error.message);
    return 1;
  }
}

function readArguments(args: string[]): { folder: string; values: Values; timeout_ms: number } {
  const { values, positionals } = parse(args);
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new ScoreError(USAGE);
  if (!existsSync(folder)) throw new ScoreError(`The folder "${folder}" does not exist.`);
  for (const name of Object.keys(GOALS)) readNumber(values, name, 0, 100);
  const timeout_ms = 1000 * (readNumber(values, 'timeout', 0.001, MAX_TIMEOUT_S) ?? 0);
  return { folder, values, timeout_ms };
}

/** @returns null for the rules alone */
async function pickRater(
  { values, timeout_ms }: { values: Values; timeout_ms: number },
  env: Environment,
): Promise<Rater | null> {
  const { command, model } = values;
  if (typeof command === 'string') {
    if (model === true) throw new ScoreError('Use either --command or --model.');
    const words = splitCommand(command);
    return (file) => rateWithCommand(words, file, timeout_ms);
  }
  return model === true ? connectRater(env) : null;
}

async function connectRater(env: Environment): Promise<Rater> {
  // Loaded only with --model: the clients of models take half a second to load.
  const [{ rateWithModel }, { connectModel, NO_MODEL }] = await Promise.all([
    import('./model-verdict.ts'),
    import('./platform-model.ts'),
  ]);
  const client = await connectModel(env);
  if (client === null) throw new ScoreError(NO_MODEL);
  return async (file) => rateWithModel(await readFile(file), client);
}

function parse(args: string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new ScoreError(`${(error as Error).message}\n${USAGE}`, { cause: error });
  }
}

function readNumber(values: Values, name: string, min: number, max: number): number | undefined {
  const text = values[name];
  if (typeof text !== 'string') return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= min && value <= max) return value;
  throw new ScoreError(`--${name} is "${text}". Use a number from ${min} to ${max}.`);
}

function findMissedGoals(card: Scorecard, values: Values): string[] {
  const missed = card.secrets_leaked > 0 ? [`${card.secrets_leaked} secrets leaked`] : [];
  for (const name of RATES) {
    const goal = readNumber(values, toGoalOption(name), 0, 100);
    const percent = computePercent(card[name]);
    if (goal === undefined || percent === null) continue;
    const isReached = name === 'false_alarms' ? percent <= goal : percent >= goal;
    if (!isReached) missed.push(`${name} is ${percent.toFixed(1)} %, the goal ${goal} %`);
  }
  return missed;
}
