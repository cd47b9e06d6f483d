import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { extractDomain, parseDomain } from '../../../server/domains/allowlist/email-domain.ts';
import { createAllowlist } from '../../../server/domains/allowlist/index.ts';
import type { AllowlistSettings } from '../../../server/domains/allowlist/types.ts';
import { type AuthzChange, createAuthzBus } from '../../../server/lib/authz-bus.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeUser } from '../../helpers/people.ts';
import { recordedAudit } from '../../helpers/recorded-audit.ts';

describe('email domains', () => {
  test.each([
    ['Example.COM', 'example.com'],
    ['mail.example.com', 'mail.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['a-b.c-d.example', 'a-b.c-d.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('%s is stored as %s', (given, stored) => {
    expect(parseDomain(given)).toBe(stored);
  });

  test.each([
    ['localhost', 'must contain a dot'],
    ['', 'must contain a dot'],
    ['ana@example.com', 'after the "@"'],
    ['a@evil.com@ok.com', 'after the "@"'],
    ['@example.com', 'after the "@"'],
    ['https://example.com', 'protocol prefix'],
    ['HTTP://example.com', 'protocol prefix'],
    ['example.com ', 'spaces'],
    ['exam ple.com', 'spaces'],
    ['example.com\u0000', 'control characters'],
    ['example.com\n', 'spaces'],
    ['example.com/path', 'only letters'],
    ['example.com:443', 'only letters'],
    ['*.example.com', 'only letters'],
    ['exam%70le.com', 'only letters'],
    ['under_score.com', 'only letters'],
    ['example.com.', 'the dot at the end'],
    ['.example.com', 'each part'],
    ['a..example.com', 'each part'],
    ['-a.example', 'each part'],
    ['a-.example', 'each part'],
    [`${'a'.repeat(64)}.example`, 'each part'],
    [`${'a.'.repeat(126)}ab`, 'at most 253'],
    ['127.0.0.1', 'not an IP address'],
    ['1.2', 'not an IP address'],
    ['xn--a.com', 'must contain a dot and be a name'],
    ['a\u200d.com', 'only letters'],
    ['[::1]', 'only letters'],
  ])('%j is rejected: %s', (given, reason) => {
    let refusal: unknown;
    try {
      parseDomain(given);
    } catch (error) {
      refusal = error;
    }

    expect(refusal).toMatchObject({ status: 400, error_class: 'invalid_domain' });
    expect(String((refusal as Error).message)).toContain(reason);
  });

  test('a stored domain is ASCII and does not change when it is parsed again', () => {
    const text = fc.oneof(
      fc.domain(),
      fc.string(),
      fc.string({ unit: 'grapheme' }).map((name) => `${name}.example`),
    );
    fc.assert(
      fc.property(text, (given) => {
        let stored: string;
        try {
          stored = parseDomain(given);
        } catch (error) {
          expect(error).toMatchObject({ error_class: 'invalid_domain' });
          return;
        }
        expect(stored).toMatch(/^[a-z0-9.-]+$/);
        expect(parseDomain(stored)).toBe(stored);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['ana@Example.COM', 'example.com'],
    ['a@evil.com@ok.com', 'ok.com'],
    ['ana@ok.com.', 'ok.com.'],
    ['ana@o\u212a.com', 'o\u212a.com'],
    ['ana@\uff4f\uff4b.com', '\uff4f\uff4b.com'],
  ])('the domain of %s is %s', (email, domain) => {
    expect(extractDomain(email)).toBe(domain);
  });
});

describe('the allowlist', () => {
  let database: TestDatabase;
  let admin: Principal;
  const audit = recordedAudit();
  beforeAll(async () => {
    database = await openTestDatabase();
    admin = await makeUser(database.admin_db, 'root@example.com');
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.admin('truncate domain_allowlist, domain_allowlist_seed');
    audit.events.length = 0;
  });

  const instance = (settings: Partial<AllowlistSettings> = {}, publish: (change: AuthzChange) => void = () => {}) => {
    const authz = createAuthzBus(publish);
    const allowlist = createAllowlist({
      platform_db: database.platform_db,
      audit,
      authz,
      now: () => new Date(),
      settings: { allowed_emails: [], seed_domains: [], trusted_issuer: null, ...settings },
    });
    return { ...allowlist, authz };
  };
  const from = (email: string) => ({ email, issuer: 'https://idp.example' });

  test('the allowlist accepts only emails of its domains, not look-alikes or subdomains', async () => {
    const allowlist = instance();
    await allowlist.add(admin, { domain: 'OK.com' });

    const emails = [
      'ana@ok.com',
      'ana@OK.COM',
      'ana@sub.ok.com',
      'ana@notok.com',
      'ana@ok.com.',
      'ok.com@evil.com',
      'ana@ok.com@evil.com',
      'ana@o\u212a.com',
      'ana@\uff4f\uff4b.com',
      'ana@оk.com',
      'ana@ok.com\u0000',
      'ok.com',
    ];
    const allowed = [];
    for (const email of emails) if (await allowlist.isAllowed(from(email))) allowed.push(email);

    expect(allowed).toEqual(['ana@ok.com', 'ana@OK.COM']);
  });

  test('the allowlist accepts break-glass addresses in any case, but no look-alikes', async () => {
    const { isAllowed } = instance({ allowed_emails: ['Root@Evil.example'] });

    expect(await isAllowed(from('root@evil.EXAMPLE'))).toBe(true);
    expect(await isAllowed(from('root2@evil.example'))).toBe(false);
    expect(await instance({ allowed_emails: ['karl@x.example'] }).isAllowed(from('\u212aarl@x.example'))).toBe(false);
  });

  test('the allowlist accepts everyone verified by the trusted issuer, but not the same email from another issuer', async () => {
    const { isAllowed } = instance({ trusted_issuer: 'urn:dev' });

    expect(await isAllowed({ email: 'a@b.example', issuer: 'urn:dev' })).toBe(true);
    expect(await isAllowed({ email: 'a@b.example', issuer: 'urn:other' })).toBe(false);
  });

  test('an addition and a removal take effect immediately and are recorded in the platform chain', async () => {
    const allowlist = instance();
    expect(await allowlist.isAllowed(from('ana@new.example'))).toBe(false);

    const entry = await allowlist.add(admin, { domain: 'new.example' });
    expect(await allowlist.isAllowed(from('ana@new.example'))).toBe(true);
    expect(await allowlist.list()).toEqual([entry]);
    expect(entry.created_by).toBe('root@example.com');

    await allowlist.remove(admin, entry.id);
    expect(await allowlist.isAllowed(from('ana@new.example'))).toBe(false);
    const row = { org_id: null, actor_email: 'root@example.com', detail: { domain: 'new.example' } };
    expect(audit.events).toEqual([
      { action: 'domain.added', ...row },
      { action: 'domain.removed', ...row },
    ]);
  });

  test('a domain can be added only once in any form; an unknown id is 404', async () => {
    const allowlist = instance();
    await allowlist.add(admin, { domain: 'bücher.example' });

    const again = allowlist.add(admin, { domain: 'XN--BCHER-KVA.EXAMPLE' });
    await expect(again).rejects.toMatchObject({ status: 409, error_class: 'domain_exists' });
    await expect(allowlist.remove(admin, newId())).rejects.toMatchObject({ status: 404 });
    expect(audit.events).toHaveLength(1);
  });

  test('of ten concurrent additions of one domain, one succeeds', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => instance().add(admin, { domain: 'rush.example' })),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(audit.events).toHaveLength(1);
  });

  test('a removal in another process takes effect when it is broadcast, or after 30 seconds without a broadcast', async () => {
    const clock = jest.spyOn(performance, 'now');
    try {
      const start = 1_000_000;
      clock.mockReturnValue(start);
      const notified = instance();
      const lost = instance();
      const here = instance({}, (change) => notified.authz.receive(change));
      const entry = await here.add(admin, { domain: 'two.example' });
      const ana = from('ana@two.example');
      expect([await notified.isAllowed(ana), await lost.isAllowed(ana)]).toEqual([true, true]);

      await here.remove(admin, entry.id);
      expect([await here.isAllowed(ana), await notified.isAllowed(ana), await lost.isAllowed(ana)]).toEqual([
        false,
        false,
        true,
      ]);

      clock.mockReturnValue(start + 30_001);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await lost.isAllowed(ana)).toBe(false);
    } finally {
      clock.mockRestore();
    }
  });

  test('the deployment seeds an empty list once, even if many instances start at the same time', async () => {
    const settings = { seed_domains: ['One.example', 'two.example', 'one.example'] };

    await Promise.all(Array.from({ length: 8 }, () => instance(settings).seed()));

    const seeded = await instance().list();
    expect(seeded.map(({ domain, created_by }) => [domain, created_by])).toEqual([
      ['one.example', null],
      ['two.example', null],
    ]);
    expect(audit.events).toEqual(
      ['one.example', 'two.example'].map((domain) => ({
        action: 'domain.added',
        org_id: null,
        actor_email: '',
        detail: { domain },
      })),
    );
  });

  test('a list that people emptied stays empty, and a list that people started is not seeded', async () => {
    const settings = { seed_domains: ['seed.example'] };
    await instance(settings).seed();
    const [entry] = await instance().list();
    await instance().remove(admin, entry!.id);
    await instance(settings).seed();
    expect(await instance().list()).toEqual([]);

    await database.admin('truncate domain_allowlist_seed');
    await instance().add(admin, { domain: 'people.example' });
    await instance(settings).seed();
    expect((await instance().list()).map(({ domain }) => domain)).toEqual(['people.example']);
  });

  test('an invalid seed domain stops the start and seeds nothing', async () => {
    const { seed } = instance({ seed_domains: ['good.example', 'https://bad.example'] });

    await expect(seed()).rejects.toMatchObject({ error_class: 'invalid_domain' });
    expect(await instance().list()).toEqual([]);
  });
});
