import { spawn } from 'node:child_process';

export interface Output {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
}

/** Runs a program with a minimal environment: only the paths of programs and of npm's settings. */
export function run([program, ...args]: [string, ...string[]], { cwd, env = {} }: RunOptions): Promise<Output> {
  const kept = Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TMPDIR|npm_config_\w+)$/i.test(name));
  const child = spawn(program, args, { cwd, env: { ...Object.fromEntries(kept), ...env }, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  child.stdin.on('error', () => undefined).end();
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, ...output }));
  });
}

/** Runs a program that must succeed. @returns its standard output @throws Error with everything that it printed */
export async function runOrThrow(command: [string, ...string[]], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(command, options);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}
