import { createInterface } from 'node:readline';
import { addAbortSignal, type Readable, Writable } from 'node:stream';
import { Failure } from '../failure.ts';

const MOST_BYTES = 65_536;

/** Where a secret is typed or piped in. */
export type SecretInput = Readable & { isTTY?: boolean };

/**
 * Asks for a secret at a terminal, without showing what is typed; elsewhere reads it from the input.
 *
 * @throws Failure when nothing comes; the reason of `signal`
 */
export async function readSecret(
  question: string,
  { input, signal }: { input: SecretInput; signal: AbortSignal },
): Promise<string> {
  const secret = (
    input.isTTY === true ? await promptSecret(question, input, signal) : await readPipedSecret(input, signal)
  ).trim();
  if (secret === '') throw new Failure('no key was given');
  return secret;
}

async function promptSecret(question: string, input: SecretInput, signal: AbortSignal): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: true, historySize: 0 });
  try {
    return await new Promise<string>((resolve, reject) => {
      // At a raw terminal Ctrl-C is a key, not a signal.
      const stop = () => reject(signal.reason ?? new Failure('stopped; nothing was kept'));
      lines
        .once('line', resolve)
        .once('SIGINT', stop)
        .once('close', () => resolve(''));
      signal.addEventListener('abort', stop, { once: true });
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

async function readPipedSecret(input: SecretInput, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of addAbortSignal(signal, input)) {
      chunks.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new Failure('this is far longer than a key');
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
}
