import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = fileURLToPath(new URL('../../cli/bin/dpa.js', import.meta.url));
const BUILD = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));

/** The plan that the demo uses. */
export const BUNDLED_PLAN = fileURLToPath(new URL('../../cli/demo/plan.json', import.meta.url));

export interface RunOptions {
  input?: string;
  env?: Record<string, string>;
  cwd?: string;
}

export interface RunResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the installed command with no configuration in its environment. */
export function startCli(args: string[], options: RunOptions = {}): ChildProcess {
  if (!existsSync(BUILD))
    throw new Error('cli/dist/ is missing: these tests run the build, make it with `npm run build`');
  return startProgram(BIN, args, options);
}

function startProgram(program: string, args: string[], { env = {}, cwd = ROOT }: RunOptions): ChildProcess {
  const clean = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env };
  return spawn(process.execPath, [program, ...args], { cwd, env: clean, stdio: 'pipe' });
}

export function runCli(args: string[], options: RunOptions = {}): Promise<RunResult> {
  return collectOutput(startCli(args, options), options);
}

/** Runs another copy of the command. */
export function runProgram(program: string, args: string[], options: RunOptions = {}): Promise<RunResult> {
  return collectOutput(startProgram(program, args, options), options);
}

function collectOutput(child: ChildProcess, options: RunOptions): Promise<RunResult> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  // A command that fails early does not read its input to the end.
  child.stdin?.on('error', () => undefined).end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...output }));
  });
}
