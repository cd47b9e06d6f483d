/**
 * Reads a response into memory.
 *
 * @returns undefined if there are more than `most` bytes; the rest is not read
 */
export async function readLimitedBody(response: Response, most: number): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
