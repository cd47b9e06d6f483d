import { spawnSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  checkConsistency,
  checkpointOrigin,
  createConsistencyProver,
  createEntryProver,
  formatVerifierKey,
  isConsistencyProof,
  openCheckpoint,
  parseConsistencyProof,
  parseVerifierKey,
  type StoredAuditRow,
  signCheckpoint,
  toRawPublicKey,
} from '../../../engine/index.ts';
import { aChain, ORG, OTHER_ORG } from './builders.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpa-checkpoint-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The first test key of RFC 8032, section 7.1, as PKCS 8. */
const SECRET = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const key = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${SECRET}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});
const other_key = generateKeyPairSync('ed25519').privateKey;
const origin = checkpointOrigin('dpa.example.com/audit', ORG);
const verifier = { name: origin, public_key: toRawPublicKey(key) };
const rows: StoredAuditRow[] = aChain(ORG, 13).map((row) => ({ ...row, canon_version: 1 }));

function sign(size: number, of = rows, keys = [key]): string {
  const prover = createConsistencyProver(1, size);
  for (const row of of) prover.add(row);
  return signCheckpoint({ origin, size, root: prover.prove().root }, keys);
}

function proveConsistency(first: number, second: number, of = rows) {
  const prover = createConsistencyProver(first, second);
  for (const row of of) prover.add(row);
  return prover.prove().proof;
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The independent verifier in docs. */
function runPython(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('python3', ['docs/verify_checkpoint.py', ...args], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return { status, stdout };
}

/** Skips a test where the program is missing. */
function testWith(program: string, argument: string): typeof test | typeof test.skip {
  return spawnSync(program, [argument]).status === 0 ? test : test.skip;
}

describe('a checkpoint', () => {
  test('is a note with origin, size, root and an Ed25519 signature', () => {
    const [first, size, root, blank, signature, end] = sign(13).split('\n');

    expect([first, size, blank, end]).toEqual([origin, '13', '', '']);
    expect(Buffer.from(root ?? '', 'base64')).toHaveLength(32);
    expect(signature).toMatch(new RegExp(`^— ${origin} [A-Za-z0-9+/]{91}=$`));
  });

  test('is the same bytes each time', () => {
    expect(sign(13)).toBe(sign(13));
  });

  test('can be opened with the verifier key of its log', () => {
    const line = formatVerifierKey(verifier);

    expect(Buffer.from(verifier.public_key).toString('hex')).toBe(PUBLIC);
    expect(openCheckpoint(sign(7), [parseVerifierKey(line)])).toMatchObject({ origin, org_id: ORG, size: 7 });
  });

  testWith('openssl', 'version')('is accepted by openssl', () => {
    const note = sign(5);
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    const signature = Buffer.from(note.trimEnd().split(' ').at(-1) ?? '', 'base64').subarray(4);
    const der = Buffer.from(`302a300506032b6570032100${PUBLIC}`, 'hex').toString('base64');
    const pem = write('key.pem', `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----\n`);
    const args = ['pkeyutl', '-verify', '-pubin', '-inkey', pem, '-rawin', '-in', write('text', text)];
    writeFileSync(join(folder, 'signature'), signature);

    const { status, stdout } = spawnSync('openssl', [...args, '-sigfile', join(folder, 'signature')]);

    expect([status, stdout.toString().trim()]).toEqual([0, 'Signature Verified Successfully']);
  });

  test('is accepted with the old and the new key while keys are replaced', () => {
    const note = sign(5, rows, [other_key, key]);
    const replaced = { name: origin, public_key: toRawPublicKey(other_key) };

    expect([openCheckpoint(note, [verifier]).size, openCheckpoint(note, [replaced]).size]).toEqual([5, 5]);
  });

  test('is refused after a change of any byte', () => {
    const note = sign(13);
    const bytes = Buffer.from(note);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, difference) => {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(place) ^ difference, place);
        expect(() => openCheckpoint(changed.toString(), [verifier])).toThrow();
      }),
    );
  });

  test('is refused with another encoding of the same signature', () => {
    // 68 bytes leave two bits of the last letter unused.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const changed = sign(13).replace(/.=\n$/, (end) => `${alphabet[alphabet.indexOf(end.charAt(0)) + 1]}=\n`);

    expect(() => openCheckpoint(changed, [verifier])).toThrow('has a line that is not a signature');
  });

  test('is refused with the key of another log, and with an unknown key', () => {
    const foreign = { ...verifier, name: checkpointOrigin('dpa.example.com/audit', OTHER_ORG) };

    expect(() => openCheckpoint(sign(3), [foreign])).toThrow(`is a checkpoint of "${origin}"`);
    expect(() => openCheckpoint(sign(3, rows, [other_key]), [verifier])).toThrow('no signature is from the given key');
  });
});

test.each(['', 'name', `${'a b'}+00000000+AQ==`, formatVerifierKey(verifier).replace(/\+.{8}\+/, '+00000000+')])(
  'a line that is not a verifier key is refused: %p',
  (line) => {
    expect(() => parseVerifierKey(line)).toThrow('is not a verifier key');
  },
);

describe('a proof of consistency', () => {
  test('is accepted for each pair of checkpoints', () => {
    for (let second = 1; second <= rows.length; second += 1) {
      for (let first = 1; first <= second; first += 1) {
        const [earlier, later] = [first, second].map((size) => openCheckpoint(sign(size), [verifier]));
        const json = JSON.stringify(proveConsistency(first, second));
        expect(isConsistencyProof(json)).toBe(true);
        expect(checkConsistency(parseConsistencyProof(json), earlier!, later!)).toBeNull();
      }
    }
  });

  test('does not connect checkpoints of which the later one has another history', () => {
    const rewritten: StoredAuditRow[] = aChain(ORG, 13, 'rewritten').map((row) => ({ ...row, canon_version: 1 }));
    const [earlier, later] = [openCheckpoint(sign(6), [verifier]), openCheckpoint(sign(13, rewritten), [verifier])];

    expect(checkConsistency(proveConsistency(6, 13), earlier, later)).toBe('history_changed');
    expect(checkConsistency(proveConsistency(6, 13, rewritten), earlier, later)).toBe('history_changed');
    expect(checkConsistency(proveConsistency(5, 13), earlier, later)).toBe('other_checkpoints');
  });

  test('is not made from a broken or a shorter chain', () => {
    const changed = rows.map((row) => (row.seq === 5 ? { ...row, action: 'x' } : row));

    expect(() => proveConsistency(3, 9, changed)).toThrow('the chain is broken at seq 5');
    expect(() => proveConsistency(3, 20)).toThrow('the chain has 13 rows, but the checkpoint has 20');
  });
});

describe('the verifier in Python', () => {
  const line = formatVerifierKey(verifier);

  testWith('python3', '--version')('accepts a checkpoint, a proof of an entry and a proof of consistency', () => {
    const [earlier, later] = [write('earlier.txt', sign(6)), write('later.txt', sign(13))];
    const prover = createEntryProver(9, 13);
    for (const row of rows) prover.add(row);
    const entry = write('entry.json', JSON.stringify(prover.prove().proof));
    const consistency = write('consistency.json', JSON.stringify(proveConsistency(6, 13)));

    expect(runPython([line, later, '--proof', entry])).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^signed {2}.* size 13, root [0-9a-f]{64}\nproven {2}entry 9\n$/),
    });
    expect(runPython([line, later, '--since', earlier, '--proof', consistency])).toEqual({
      status: 0,
      stdout: expect.stringContaining('proven  7 entries were appended, none was changed'),
    });
  });

  testWith('python3', '--version')('refuses a changed checkpoint and proofs for another one', () => {
    const changed = write('changed.txt', sign(13).replace('\n13\n', '\n12\n'));
    const [earlier, later] = [write('six.txt', sign(6)), write('thirteen.txt', sign(13))];
    const proof = { ...proveConsistency(5, 13), first_size: 6 };
    const wrong = write('wrong.json', JSON.stringify(proof));

    expect(runPython([line, changed])).toEqual({
      status: 2,
      stdout: expect.stringContaining('the signature is wrong'),
    });
    expect(runPython([line, later, '--since', earlier, '--proof', wrong]).status).toBe(2);
  });
});
