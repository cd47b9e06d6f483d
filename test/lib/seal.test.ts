import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSealer, SealError } from '../../server/lib/seal.ts';

const oldKey = Buffer.alloc(32, 1);
const newKey = Buffer.alloc(32, 2);
const plain = Buffer.from('a secret');

describe('encryption', () => {
  test('a record is decrypted to its content, whatever the content and place', () => {
    const sealer = createSealer([newKey]);

    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.string(), (content, aad) => {
        expect(sealer.open(sealer.seal(content, aad), aad)).toEqual(Buffer.from(content));
      }),
    );
  });

  test('every changed byte is detected', () => {
    const sealer = createSealer([newKey]);
    const sealed = sealer.seal(plain, 'here');

    for (let at = 0; at < sealed.length; at++) {
      const altered = Buffer.from(sealed);
      altered[at]! ^= 1;
      expect(() => sealer.open(altered, 'here')).toThrow(SealError);
    }
  });

  test('a record that is moved, truncated or empty cannot be decrypted', () => {
    const sealer = createSealer([newKey]);
    const sealed = sealer.seal(plain, 'org 1');

    for (const [record, aad] of [
      [sealed, 'org 2'],
      [sealed.subarray(0, -1), 'org 1'],
      [Buffer.alloc(0), 'org 1'],
    ] as const) {
      expect(() => sealer.open(record, aad)).toThrow(expect.objectContaining({ error_class: 'decrypt_failed' }));
    }
  });

  test('after a rotation old records can be decrypted and new ones need the new key', () => {
    const before = createSealer([oldKey]);
    const after = createSealer([newKey, oldKey]);

    expect(after.open(before.seal(plain, 'x'), 'x')).toEqual(plain);
    expect(() => before.open(after.seal(plain, 'x'), 'x')).toThrow(
      expect.objectContaining({ error_class: 'key_unavailable' }),
    );
  });

  test('equal contents have different ciphertexts', () => {
    const sealer = createSealer([newKey]);

    expect(sealer.seal(plain, 'x').equals(sealer.seal(plain, 'x'))).toBe(false);
  });

  test('a key of another length is rejected', () => {
    expect(() => createSealer([Buffer.alloc(16)])).toThrow(/32 bytes/);
  });
});
