import { InvalidInput } from '../../lib/errors.ts';

/**
 * Converts a form to the object that the same request has in JSON: strings by name. A field without a value counts as
 * omitted.
 *
 * @see RFC 6749, section 3.2 and appendix B
 * @throws InvalidInput for a duplicate field, or invalid UTF-8
 */
export function parseForm(raw: Buffer): Record<string, string> {
  const fields = new Map<string, string>();
  for (const pair of raw.toString('latin1').split('&')) {
    if (pair === '') continue;
    const end = pair.indexOf('=');
    const name = decode(end === -1 ? pair : pair.slice(0, end));
    if (fields.has(name)) throw new InvalidInput(`invalid request body: ${JSON.stringify(shown(name))} occurs twice`);
    fields.set(name, end === -1 ? '' : decode(pair.slice(end + 1)));
  }
  return Object.fromEntries([...fields].filter(([, value]) => value !== ''));
}

function decode(text: string): string {
  try {
    // The bytes were read as Latin-1: unescaped ones are escaped here, so that one decoder handles all of them.
    const escaped = text.replaceAll('+', ' ').replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
    return decodeURIComponent(escaped);
  } catch {
    throw new InvalidInput('invalid request body: the form is not percent-encoded UTF-8');
  }
}

function shown(name: string): string {
  return name.slice(0, 100);
}
