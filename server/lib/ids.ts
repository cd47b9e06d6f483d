import { randomBytes } from 'node:crypto';

let lastTime = 0;
let sequence = 0;

/**
 * A new UUID version 7, lower case: 48 bits of Unix milliseconds, then a sequence and 62 random bits.
 * Ids of one process are strictly increasing, also within a millisecond and when the clock steps back.
 *
 * @see RFC 9562, section 5.7 and method 1 of section 6.2
 */
export function newId(): string {
  tick(Date.now());
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastTime, 0, 6);
  bytes[6] = 0x70 | (sequence >>> 8);
  bytes[7] = sequence & 0xff;
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Moves the clock on; 4,096 ids in one millisecond borrow from the next. */
function tick(now: number): void {
  if (now > lastTime) {
    lastTime = now;
    sequence = randomBytes(2).readUInt16BE() & 0x7ff;
    return;
  }
  sequence += 1;
  if (sequence <= 0xfff) return;
  lastTime += 1;
  sequence = 0;
}
