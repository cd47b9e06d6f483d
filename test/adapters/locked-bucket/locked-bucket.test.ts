import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGuardedFetch } from '../../../server/adapters/egress/index.ts';
import { createLockedBuckets } from '../../../server/adapters/locked-bucket/index.ts';
import type { LockedBucket } from '../../../server/adapters/locked-bucket/types.ts';
import { type FakeLockedBucket, startLockedBucket } from '../../fakes/locked-bucket.ts';

const SECRET = 'canary-of-the-secret-key';
const LOCK = { mode: 'compliance' as const, until: new Date('2027-03-01T00:00:00.000Z') };
const ACCESS = {
  credentials: {
    credential_type: 'aws_access_key' as const,
    access_key_id: 'AKIAIOSFODNN7EXAMPLE',
    secret_access_key: SECRET,
  },
  token_subject: '',
};

let fake: FakeLockedBucket;
beforeEach(async () => {
  fake = await startLockedBucket();
});
afterEach(() => fake.close());

function openBuckets(allowed_hosts = [new URL(fake.url).host]) {
  return createLockedBuckets({
    fetch: createGuardedFetch({ allowed_hosts, resolve: async () => ['127.0.0.1'] }),
    openAwsKeys: async () => ({ accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: SECRET }),
  });
}

const open = (place = {}): LockedBucket =>
  openBuckets().open({ bucket: fake.name, region: 'fr-par', endpoint: fake.url, ...place }, ACCESS);
const signal = () => AbortSignal.timeout(60_000);
const put = (bucket = open(), text = 'a note — signed\n') =>
  bucket.putOnce('audit/0001.txt', text, { lock: LOCK, signal: signal() });

describe('an object', () => {
  test('is written once and locked', async () => {
    expect(await put()).toBe(true);
    expect(await put()).toBe(true);

    const until = '2027-03-01T00:00:00Z';
    expect([...fake.objects]).toEqual([['audit/0001.txt', { text: 'a note — signed\n', mode: 'COMPLIANCE', until }]]);
    expect(fake.writes).toBe(1);
  });

  test('never replaces another one', async () => {
    await put(open(), 'another note\n');

    expect(await put()).toBe(false);
    expect(fake.objects.get('audit/0001.txt')?.text).toBe('another note\n');
  });

  test('whose response was lost is found by the next attempt', async () => {
    fake.failures.push('drop-after');

    await expect(put()).rejects.toThrow('cannot be reached');
    expect(await put()).toBe(true);
    expect(fake.writes).toBe(1);
  });
});

describe('a bucket', () => {
  test('with Object Lock is accepted', async () => {
    await expect(open().assertLock(signal())).resolves.toBeUndefined();
  });

  test('without Object Lock is refused, and says what to do', async () => {
    fake.has_lock = false;

    await expect(open().assertLock(signal())).rejects.toThrow('has no Object Lock');
    await expect(put()).rejects.toThrow('has no Object Lock');
    expect(fake.objects.size).toBe(0);
  });

  test.each<[string, () => void, object, string]>([
    ['does not exist', () => {}, { bucket: 'other' }, 'There is no bucket "other".'],
    ['denies access', () => fake.access_key_ids.clear(), {}, 'Grant s3:GetBucketObjectLockConfiguration'],
    ['fails', () => void fake.failures.push(500), {}, 'cannot be reached, or gave no usable response'],
  ])(
    'that %s is named in an error without secrets and without text of the store',
    async (_title, change, place, text) => {
      change();
      const error = await put(open(place)).catch((reason: Error) => reason);

      expect(error).toMatchObject({ name: 'BucketError', message: expect.stringContaining(text) });
      expect(String(error)).not.toMatch(/canary|the store says so/);
    },
  );

  test('at a private address is not called unless the operator allows it', async () => {
    const place = { bucket: fake.name, region: 'fr-par', endpoint: fake.url };
    const { putOnce } = openBuckets([]).open(place, ACCESS);

    await expect(putOnce('a.txt', 'x', { lock: LOCK, signal: signal() })).rejects.toThrow('not on the public internet');
    expect(fake.writes).toBe(0);
  });

  test.each([
    [{ bucket: 'a--x-s3' }, 'bucket'],
    [{ bucket: '10.0.0.1' }, 'bucket'],
    [{ region: 'evil.example.com' }, 'region'],
  ])('with the names %j is refused before it is called', (change, field) => {
    const place = { bucket: 'acme-audit', region: 'eu-west-1', endpoint: null, ...change };

    expect(openBuckets().findRefusedName(place)).toMatchObject({ field });
  });
});
