import { Failure } from '../failure.ts';
import { describeInput, type InputKind, readAllInput } from '../input.ts';

/**
 * Reads a JSON object with secrets from a file or standard input, never from the command line, which other users of the
 * machine can see.
 *
 * @param example what the object looks like
 * @returns the object, and the text as it was
 * @throws Failure that quotes nothing of the file
 */
export async function readJsonFile(
  path: string,
  kind: InputKind,
  example: string,
): Promise<{ json: object; text: string }> {
  const text = new TextDecoder().decode(await readAllInput(path, kind));
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { json, text };
  } catch {
    // The message of the parser quotes the text.
  }
  throw new Failure(`${describeInput(path)}: expected a JSON object such as ${example}`);
}
