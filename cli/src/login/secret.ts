import { createInterface } from 'node:readline';
import { addAbortSignal, type Readable, Writable } from 'node:stream';
import { Failure } from '../failure.ts';

const MOST_BYTES = 65_536;

/** The input that a secret is typed or piped into. */
export type SecretInput = Readable & { isTTY?: boolean };

/**
 * Prompts for a secret on a terminal, with hidden input; otherwise reads it from the input.
 *
 * @throws Failure if the input is empty; the reason of `signal`
 */
export async function readSecret(
  question: string,
  { input, signal }: { input: SecretInput; signal: AbortSignal },
): Promise<string> {
  const secret = (
    input.isTTY === true ? await promptSecret(question, input, signal) : await readPipedSecret(input, signal)
  ).trim();
  if (secret === '') throw new Failure('no API key was entered');
  return secret;
}

async function promptSecret(question: string, input: SecretInput, signal: AbortSignal): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: true, historySize: 0 });
  try {
    return await new Promise<string>((resolve, reject) => {
      // On a raw terminal, Ctrl-C is a key and not a signal.
      const stop = () => reject(signal.reason ?? new Failure('stopped; nothing was saved'));
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
      if (bytes > MOST_BYTES) throw new Failure('the input is too long for an API key');
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
}
