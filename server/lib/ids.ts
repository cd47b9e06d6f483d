import { randomFillSync } from 'node:crypto';

/** Random bytes are fetched in bulk: one call for 256 ids costs little more than a call for one. */
const pool = Buffer.alloc(256 * 16);
let unused = 0;

let lastTime = 0;
let sequence = 0;

/**
 * A new UUID version 7, lower case: 48 bits of Unix milliseconds, then a sequence and 62 random bits.
 * Ids of one process are strictly increasing, also within a millisecond and when the clock steps back.
 *
 * @see RFC 9562, section 5.7 and method 1 of section 6.2
 */
export function newId(): string {
  const bytes = sixteenRandomBytes();
  tick(Date.now(), bytes.readUInt16BE(6) & 0x7ff);
  bytes.writeUIntBE(lastTime, 0, 6);
  bytes[6] = 0x70 | (sequence >>> 8);
  bytes[7] = sequence & 0xff;
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function sixteenRandomBytes(): Buffer {
  if (unused === 0) {
    randomFillSync(pool);
    unused = pool.length;
  }
  unused -= 16;
  return pool.subarray(unused, unused + 16);
}

/** Advances the clock; the 4,097th id in one millisecond uses the next millisecond. */
function tick(now: number, first: number): void {
  if (now > lastTime) {
    lastTime = now;
    sequence = first;
    return;
  }
  sequence += 1;
  if (sequence <= 0xfff) return;
  lastTime += 1;
  sequence = 0;
}
