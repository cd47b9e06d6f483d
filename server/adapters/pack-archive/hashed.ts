import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/** A stream that passes bytes on, and then knows their number and SHA-256. */
export function hashed() {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { through, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}
