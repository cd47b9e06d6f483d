import { createBrotliDecompress } from 'node:zlib';

/** The lines of a text that is compressed with Brotli; the whole text is never in memory. */
export async function* unpackLines(packed: Uint8Array): AsyncIterable<string> {
  const texts = createBrotliDecompress().setEncoding('utf8');
  texts.end(packed);
  let begun: string[] = [];
  for await (const text of texts as AsyncIterable<string>) {
    const [end = '', ...lines] = text.split('\n');
    begun.push(end);
    for (const line of lines) {
      yield begun.join('');
      begun = [line];
    }
  }
}
