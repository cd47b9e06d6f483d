import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Failure } from './failure.ts';
import { createProgress } from './progress.ts';

const CHUNK_BYTES = 65_536;

const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder; name the JSON file that `terraform show -json tfplan > plan.json` made',
  EACCES: 'you may not read this file',
  EPERM: 'you may not read this file',
};

/**
 * The bytes of a file, or of standard input for `-`, in chunks; says on standard error how far it is, on a terminal.
 *
 * @throws Failure when there is nothing to read
 */
export async function* readInput(path: string): AsyncGenerator<Uint8Array> {
  const progress = createProgress(path === '-' ? undefined : await sizeOf(path));
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  try {
    for await (const chunk of stream) {
      progress.add((chunk as Uint8Array).length);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw asFailure(path, error);
  } finally {
    progress.clear();
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const { size } = await stat(path);
    return size;
  } catch (error) {
    throw asFailure(path, error);
  }
}

function asFailure(path: string, error: unknown): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const advice = code === undefined ? undefined : ADVICE[code];
  return advice === undefined ? error : new Failure(`${path === '-' ? 'standard input' : path}: ${advice}`);
}
