import { open, stat } from 'node:fs/promises';
import { Failure } from './failure.ts';
import { createProgress } from './progress.ts';

const CHUNK_BYTES = 262_144;

/** Describes the input in messages. */
export interface InputKind {
  noun: string;
  /** The file to pass instead of a folder. */
  file: string;
}

const PLAN: InputKind = { noun: 'plan', file: 'the JSON file from `terraform show -json tfplan > plan.json`' };

const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'you do not have permission to read this file',
  EPERM: 'you do not have permission to read this file',
};

/**
 * Reads a file, or standard input for `-`, in chunks. A chunk is valid until the next one is requested. On a terminal,
 * shows the progress on standard error.
 *
 * @throws Failure if the input cannot be read
 */
export async function* readInput(path: string, kind: InputKind = PLAN): AsyncGenerator<Uint8Array> {
  const progress = createProgress(kind.noun, path === '-' ? undefined : await readSize(path, kind));
  const chunks = path === '-' ? process.stdin : readFileChunks(path);
  try {
    for await (const chunk of chunks) {
      progress.add((chunk as Uint8Array).length);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw toFailure(path, error, kind);
  } finally {
    progress.clear();
  }
}

/** Uses one buffer for all chunks: new ones would cost more than reading. */
async function* readFileChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Reads the whole input into memory. @throws Failure if the input cannot be read */
export async function readAllInput(path: string, kind: InputKind = PLAN): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readInput(path, kind)) chunks.push(Uint8Array.from(chunk));
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
  const advice = code === 'EISDIR' ? `this is a folder; pass ${kind.file}` : ADVICE[code ?? ''];
  return advice === undefined ? error : new Failure(`${describeInput(path)}: ${advice}`);
}

/** The name of an input in messages. */
export function describeInput(path: string): string {
  return path === '-' ? 'standard input' : path;
}
