import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Failure } from './failure.ts';
import { createProgress } from './progress.ts';

const CHUNK_BYTES = 65_536;

/** What is read, for messages. */
export interface InputKind {
  noun: string;
  /** The file to name when a folder was named. */
  file: string;
}

const PLAN: InputKind = { noun: 'plan', file: 'the JSON file that `terraform show -json tfplan > plan.json` made' };

const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read this file',
  EPERM: 'you may not read this file',
};

/**
 * The bytes of a file, or of standard input for `-`, in chunks; says on standard error how far it is, on a terminal.
 *
 * @throws Failure when there is nothing to read
 */
export async function* readInput(path: string, kind: InputKind = PLAN): AsyncGenerator<Uint8Array> {
  const progress = createProgress(kind.noun, path === '-' ? undefined : await readSize(path, kind));
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  try {
    for await (const chunk of stream) {
      progress.add((chunk as Uint8Array).length);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw toFailure(path, error, kind);
  } finally {
    progress.clear();
  }
}

/** All of it at once, where that is needed. @throws Failure when there is nothing to read */
export async function readAllInput(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readInput(path)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readSize(path: string, kind: InputKind): Promise<number> {
  try {
    const { size } = await stat(path);
    return size;
  } catch (error) {
    throw toFailure(path, error, kind);
  }
}

function toFailure(path: string, error: unknown, kind: InputKind): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const advice = code === 'EISDIR' ? `this is a folder; name ${kind.file}` : ADVICE[code ?? ''];
  return advice === undefined ? error : new Failure(`${describeInput(path)}: ${advice}`);
}

/** What to call an input in a message. */
export function describeInput(path: string): string {
  return path === '-' ? 'standard input' : path;
}
