/** Runs another tool on a plan. No shell is involved: the name of a plan cannot run anything. */
import { type ExecFileException, execFile } from 'node:child_process';
import { ScoreError } from './score-error.ts';
import { readToolOutput } from './tool-output.ts';
import type { Verdict } from './verdict.ts';

const PLAN = '{plan}';
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A command, split into words. */
export type Command = readonly [program: string, ...args: string[]];

/**
 * Splits a command at spaces. Quotes keep spaces together; nothing else has a meaning: no variables, pipes or escapes.
 *
 * @throws ScoreError if a quote is not closed, or if no word contains `{plan}`
 */
export function splitCommand(text: string): Command {
  const words = scanWords(text);
  const [program, ...args] = words;
  if (program === undefined || program === '') throw new ScoreError('The command is empty.');
  if (!args.some((word) => word.includes(PLAN))) {
    throw new ScoreError(`The command has no argument ${PLAN}. Write ${PLAN} where the path of the plan belongs.`);
  }
  return [program, ...args];
}

function scanWords(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (const char of text) {
    if (quote !== '') {
      if (char === quote) quote = '';
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== '') throw new ScoreError(`The command has an opening ${quote} without a closing one.`);
  return word === null ? words : [...words, word];
}

/**
 * Runs the command on one plan and reads its output. A tool that fails, exceeds the time or prints no level refuses the
 * plan.
 *
 * @param plan absolute path, so that no option of the tool can be mistaken for it
 * @throws ScoreError if the program cannot be started
 */
export async function rateWithCommand([program, ...args]: Command, plan: string, timeout_ms: number): Promise<Verdict> {
  const words = args.map((word) => word.replaceAll(PLAN, () => plan));
  const { stdout, stderr, failure } = await run(program, words, timeout_ms);
  const shown = `${stdout}\n${stderr}`;
  if (failure !== null) return { level: null, refusal: failure, changes: null, shown, reasons: [] };
  return { ...readToolOutput(stdout), shown, reasons: [] };
}

interface Output {
  stdout: string;
  stderr: string;
  /** null if the program ended with status 0. */
  failure: string | null;
}

function run(program: string, args: readonly string[], timeout_ms: number): Promise<Output> {
  // A program may ignore a signal that it can catch.
  const options = { timeout: timeout_ms, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error !== null && typeof error.code === 'string' && error.syscall !== undefined) {
        reject(
          new ScoreError(`Cannot start "${program}": ${error.code}. Check the name, and whether it is installed.`),
        );
      } else {
        resolve({ stdout, stderr, failure: error === null ? null : describeFailure(error, stderr, timeout_ms) });
      }
    });
    // A tool that reads standard input would wait for it.
    child.stdin?.on('error', () => undefined).end();
  });
}

function describeFailure(error: ExecFileException, stderr: string, timeout_ms: number): string {
  if (error.killed === true) return `it did not finish within ${timeout_ms / 1000} s`;
  if (String(error.code) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'it printed more than 64 MB';
  const last = stderr.trimEnd().split('\n').at(-1)?.trim().slice(0, 120) ?? '';
  const end = error.signal ? `it was ended by ${error.signal}` : `it ended with status ${error.code}`;
  return last === '' ? end : `${end}: ${last}`;
}
