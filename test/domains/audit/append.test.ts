import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { auditDetailText } from '../../../engine/index.ts';
import { errorCode } from '../../../server/lib/error-code.ts';
import { newId } from '../../../server/lib/ids.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeAudit, makeBareOrg, someEvent, type TestAudit } from './chains.ts';

interface Row {
  id: string;
  org_id: string | null;
  actor: string;
  action: string;
  detail: string;
  at: string;
}

let database: TestDatabase;
let audit: TestAudit;

beforeAll(async () => {
  database = await openTestDatabase();
  audit = makeAudit(database);
});
afterAll(async () => {
  await audit.end();
  await database.close();
});

function append(db: { raw: TestDatabase['platform_db']['raw'] }, rows: Row[]) {
  return db.raw('select * from audit_append(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::timestamptz[])', [
    rows.map((row) => row.id),
    rows.map((row) => row.org_id),
    rows.map((row) => row.actor),
    rows.map((row) => row.action),
    rows.map((row) => row.detail),
    rows.map((row) => row.at),
  ] as never);
}

function row(org_id: string | null, detail = '{}'): Row {
  return { id: newId(), org_id, actor: 'ana@example.com', action: 'org.created', detail, at: new Date().toISOString() };
}

describe('the audit_append function', () => {
  const ORG = '3f1c2b9e-6a54-4f0e-9d0b-0c8a5b7e1d11';
  const id = (end: string) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`;

  // Computed independently in Node and in Python.
  test('audit_append computes the hashes of canonical form v1 for any text', async () => {
    await database
      .admin_db('orgs')
      .insert({ id: ORG, slug: 'acme', display_name: 'Acme', noise_key_ct: Buffer.alloc(1) });
    const config =
      '{"api_token_expires":null,"api_token_prefix":null,"api_token_status":null,"config_id":"00000000-0000-4000-8000-0000000000aa","provider":"gitlab","provider_base_url":"https://gitlab.example.com","repo_path":"grp/préfixe \\"x\\"","secret_prefix":"whsec_Zm9v"}';
    const payment =
      '{"status":"past_due","stripe_customer":"cus_1","stripe_event_id":"evt_1","stripe_event_type":"invoice.payment_failed"}';
    const rows: Row[] = [
      {
        id: id('1'),
        org_id: ORG,
        actor: 'ana@example.com',
        action: 'org.created',
        detail: '{"slug":"acme"}',
        at: '2026-01-02T03:04:05.678Z',
      },
      {
        id: id('a'),
        org_id: null,
        actor: 'root@example.com',
        action: 'domain.added',
        detail: '{"domain":"example.com"}',
        at: '2026-01-01T00:00:00.000Z',
      },
      {
        id: id('2'),
        org_id: ORG,
        actor: '',
        action: 'billing.payment_failed',
        detail: payment,
        at: '2026-01-02T03:04:06.000Z',
      },
      {
        id: id('3'),
        org_id: ORG,
        actor: 'zoë@example.com',
        action: 'webhook_config.created',
        detail: config,
        at: '2026-01-02T03:04:07.010Z',
      },
    ];

    const appended = await append(database.platform_db, rows);

    expect(appended.rows.map((one: { seq: string; hash: string }) => [one.seq, one.hash])).toEqual([
      ['1', '8533cbd569430ab00e9c901fa6b1a0c25b5c60170916161bd280a361d99bd410'],
      ['1', 'f85ea8f8b16bddfe0d16ee42cc7818bf2421f1fdbb39de17763424a46b968059'],
      ['2', 'e909b613d2d9a8a7e98074e00efbf7f4691ea8970837e5548587a1b8b066e959'],
      ['3', 'dac5ffb0c2dbe989f52d4cec8485e836fb42ff0fed944c8c636bc806016376c2'],
    ]);
  });

  test('any detail is read back exactly as it was hashed', async () => {
    const org_id = await makeBareOrg(database.admin_db);
    const text = fc.string({ unit: 'binary', maxLength: 30 }).map((value) => value.replaceAll('\0', ''));
    const [small, few] = [{ maxLength: 3 }, { maxKeys: 4 }];
    const leaf = fc.oneof(text, fc.boolean(), fc.constant(null), fc.maxSafeInteger());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('value'), small),
        fc.dictionary(text, tie('value'), few),
      ),
    }));
    const details = fc.sample(fc.dictionary(text, value, few), { numRuns: 5_000, seed: 7 });
    const odd = [
      ' ',
      '\u2028\u2029',
      '\u007f',
      'é vs e\u0301',
      '😀',
      '\\u0041',
      '\b\f\n\r\t\u0001',
      '</script>',
      '__proto__',
    ];
    details.push(Object.fromEntries(odd.map((one) => [one, one])), { large: 'x'.repeat(100_000) });

    const rows = details.map((detail) => ({
      ...row(org_id, auditDetailText(detail)),
      actor: `${String(Object.keys(detail)[0] ?? '')}@example.com`,
    }));
    await append(database.platform_db, rows);

    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'ok', checked: details.length });
  });

  test('a time more precise than a millisecond is hashed as it is stored', async () => {
    const org_id = await makeBareOrg(database.admin_db);

    await append(database.platform_db, [{ ...row(org_id), at: '2026-01-02T03:04:05.678999Z' }]);

    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'ok', checked: 1 });
  });

  test('concurrent platform events form one chain', async () => {
    const others = [makeAudit(database), makeAudit(database)];
    const before = (await audit.verifyAny(null)).head_seq;

    await Promise.all(
      [audit, ...others].flatMap((one, at) => [1, 2, 3].map((n) => one.record(someEvent(null, `${at}-${n}`)))),
    );

    expect(await audit.verifyAny(null)).toMatchObject({ status: 'ok', head_seq: before + 9 });
    await Promise.all(others.map((one) => one.end()));
  });

  test('the table rejects a second platform row with the same number', async () => {
    await audit.record(someEvent(null, 'first.example.com'));
    const duplicate = database.admin_db.raw(
      `insert into audit_log (id, org_id, seq, actor_email, action, detail, created_at, hash)
       values (gen_random_uuid(), null, 1, '', 'domain.added', '{}', now(), '')`,
    );

    await expect(duplicate.catch((error) => Promise.reject(errorCode(error)))).rejects.toBe('23505');
  });

  test('batches that name the same new chains in a different order do not deadlock', async () => {
    const orgs = await Promise.all(Array.from({ length: 8 }, () => makeBareOrg(database.admin_db)));
    const batches = Array.from({ length: 6 }, (_, n) => orgs.map((org_id) => row(org_id)).sort(() => (n % 2) - 0.5));

    await Promise.all(batches.map((batch) => append(database.platform_db, batch)));

    for (const org_id of orgs) expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'ok', checked: 6 });
  });
});

describe('permissions on the audit log', () => {
  const refused = (work: PromiseLike<unknown>) => Promise.resolve(work).then(() => 'done', errorCode);
  const ATTACKS = [
    "insert into audit_log (id, seq, actor_email, action, detail, created_at, hash) values (gen_random_uuid(), 9, '', 'a.b', '{}', now(), '')",
    "update audit_log set actor_email = 'eve@example.com'",
    'delete from audit_log',
    'truncate audit_log',
    'update audit_heads set seq = 0, hash = null',
    'delete from audit_heads',
    'alter table audit_log add column x int',
    'alter table audit_log disable trigger all',
    'alter table audit_log disable row level security',
    'drop trigger audit_log_is_final on audit_log',
    'drop table audit_log',
    'create trigger eve before insert on audit_log for each row execute function refuse_audit_change()',
    'create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin return null; end $$',
    'set session_replication_role = replica',
  ];

  test.each(ATTACKS)('no role of the service can: %s', async (sql) => {
    const org_id = await makeBareOrg(database.admin_db);
    await audit.record(someEvent(org_id, 'row'));

    expect(await refused(database.db.inOrg(org_id, (trx) => trx.raw(sql)))).toBe('42501');
    expect(await refused(database.platform_db.raw(sql))).toBe('42501');
    expect(await refused(database.sweeper_db.raw(sql))).toBe('42501');
  });

  test.each([
    'update audit_log set seq = seq',
    'delete from audit_log',
    'truncate audit_log',
    'delete from audit_heads',
  ])('triggers stop even a superuser: %s', async (sql) => {
    expect(await refused(database.admin_db.raw(sql))).toBe('42501');
  });

  test('the sweeper can neither read nor append', async () => {
    expect(await refused(database.sweeper_db('audit_log').first())).toBe('42501');
    expect(await refused(append(database.sweeper_db, [row(null)]))).toBe('42501');
  });

  test('the role for one organization can append only to its own chain', async () => {
    const [own, foreign] = [await makeBareOrg(database.admin_db), await makeBareOrg(database.admin_db)];
    const inOwn = (org_id: string | null) => database.db.inOrg(own, (trx) => append(trx, [row(own), row(org_id)]));

    expect(await refused(inOwn(foreign))).toBe('42501');
    expect(await refused(inOwn(null))).toBe('42501');
    expect(await refused(inOwn(own))).toBe('done');
    expect(await audit.verifyAny(own)).toMatchObject({ status: 'ok', checked: 2 });
    expect(await audit.verifyAny(foreign)).toMatchObject({ status: 'ok', checked: 0, head_seq: 0, head_hash: '' });
  });

  test('the role for one organization can read only its own chain', async () => {
    const [own, foreign] = [await makeBareOrg(database.admin_db), await makeBareOrg(database.admin_db)];
    await audit.record(someEvent(own, 'own'));
    await audit.record(someEvent(foreign, 'foreign'));

    const seen = await database.db.inOrg(own, (trx) => trx('audit_log').pluck('org_id'));

    expect(seen).toEqual([own]);
  });
});

test.each(['infinity', '-infinity', '1999-12-31T23:59:59.999Z', '10000-01-01T00:00:00Z', '2026-01-01T00:00:00Z BC'])(
  'a row with the time %s is rejected',
  async (time) => {
    const appended = database.platform_db.raw(
      `select count(*) from audit_append(array[gen_random_uuid()], array[null::uuid], array[''], array['x'],
         array['{}'], array[?::timestamptz])`,
      [time],
    );

    // Infinite times have no canonical text, so their missing hash already fails.
    await expect(appended).rejects.toMatchObject({ code: expect.stringMatching(/^235(02|14)$/) });
  },
);
