import { describe, expect, test } from '@jest/globals';
import { compose, createDeclarations } from '../../server/composition/compose.ts';
import type { DomainParts } from '../../server/contract/domain-parts.ts';
import type { Handlers } from '../../server/contract/operation.ts';
import { createColumnSealer, type SealedColumn } from '../../server/db/index.ts';
import { createSealer } from '../../server/lib/seal.ts';

const TOKEN_COLUMN: SealedColumn = {
  table: 'cloud_accounts',
  column: 'token_ct',
  org_column: 'org_id',
  key: 'id',
  reads: [],
  aad: ({ org_id = '', id = '' }) => `cloud_accounts.token_ct|${org_id}|${id}`,
};

/** The remaining limits that some domain must enforce. */
const OTHER_LIMITS = [
  'seats',
  'schedules',
  'schedule_interval',
  'cloud_accounts',
  'concurrent_scans',
  'known_owners',
  'state_sources',
  'api_keys',
  'webhook_configs',
  'llm_weekly',
  'llm_hourly',
  'analyses_hourly',
] as const;

const rest: DomainParts = {
  domain: 'rest',
  handlers: {},
  limits: OTHER_LIMITS,
  usage: Object.fromEntries(OTHER_LIMITS.map((name) => [name, async () => 0])),
};

/** A small domain with one of each declaration. */
const accounts: DomainParts = {
  domain: 'cloud-accounts',
  handlers: { listScans: async () => ({ status: 200, body: { scans: [], total: 0, limit: 50, offset: 0 } }) } as never,
  path_checks: { listScans: async () => {} },
  jobs: [{ queue: 'webhook', concurrency: 1, attempts: 1, run: async () => {} }],
  sweeps: [{ name: 'cloud-accounts.check', every_ms: 60_000, run: async () => {} }],
  loops: [{ name: 'cloud-accounts.watch', every_ms: 500, run: async () => false }],
  sealed_columns: [TOKEN_COLUMN],
  audit_events: { 'cloud_account.created': 'specified' },
  settings: { pr_fail_on: null },
  limits: ['custom_rules'],
  usage: { custom_rules: async () => 7 },
};

// The contract has more operations than these two; type errors about that are not the subject of this test.
function composeAll(parts: DomainParts[], sealed_columns: readonly SealedColumn[] = [TOKEN_COLUMN]) {
  const declared = createDeclarations();
  return { ...compose<DomainParts & { handlers: Handlers }>(parts as never, { declared, sealed_columns }), declared };
}

describe('a domain with complete declarations', () => {
  test("the domain's handlers, jobs, sweeps and loops run without other registration", () => {
    const { handlers, path_checks, jobs, sweeps, loops } = composeAll([rest, accounts]);

    expect(handlers.listScans).toBe(accounts.handlers.listScans);
    expect(Object.keys(path_checks)).toEqual(['listScans']);
    expect(jobs.map(({ queue }) => queue)).toEqual(['webhook']);
    expect(sweeps.map(({ name }) => name)).toEqual(['cloud-accounts.check']);
    expect(loops.map(({ name }) => name)).toEqual(['cloud-accounts.watch']);
  });

  test("the domain's audit events are recorded, its settings read and its usage counted", async () => {
    const { declared } = composeAll([rest, accounts]);

    expect(declared.audit_events.get('cloud_account.created')).toBe('specified');
    expect(declared.settings).toEqual({ pr_fail_on: null });
    expect(await declared.usage.custom_rules?.(null as never, 'org', new Date())).toBe(7);
  });
});

describe('the service does not start', () => {
  test.each<[string, DomainParts[]]>([
    ['rest and other both declare the limit seats', [rest, accounts, { ...rest, domain: 'other' }]],
    ['both declare the handler listScans', [rest, accounts, { domain: 'other', handlers: accounts.handlers }]],
    ['both declare the audit event cloud_account.created', [rest, accounts, { ...accounts, domain: 'other' }]],
    ['no domain enforces the limit custom_rules', [rest, { ...accounts, limits: [], usage: {} }]],
    ['cloud-accounts does not count the usage of custom_rules', [rest, { ...accounts, usage: {} }]],
    ['cloud-accounts counts the usage of custom_rules, which it does not enforce', [rest, { ...accounts, limits: [] }]],
    [
      'cloud-accounts declares a path check or body reader for getOrg, which has no handler',
      [rest, { ...accounts, path_checks: { getOrg: async () => {} } }],
    ],
    ['no domain declares cloud_accounts.token_ct', [rest, { ...accounts, sealed_columns: [] }]],
  ])('if %s', (problem, parts) => {
    expect(() => composeAll(parts)).toThrow(problem);
  });

  test('if key rotation does not include a column that a domain declares', () => {
    expect(() => composeAll([rest, accounts], [])).toThrow('key rotation does not include cloud_accounts.token_ct');
  });
});

describe('an encrypted column that is not declared', () => {
  const key = Buffer.alloc(32, 1);
  const row = { org_id: 'o', id: 'i' };

  test('an undeclared column can be neither encrypted nor decrypted', () => {
    const sealer = createColumnSealer(createSealer([key]), []);

    expect(() => sealer.seal(TOKEN_COLUMN, row, Buffer.from('secret'))).toThrow('no domain declares');
    expect(() => sealer.open(TOKEN_COLUMN, row, Buffer.alloc(0))).toThrow('no domain declares');
  });

  test('a declared column encrypts records that can be decrypted only in their own row', () => {
    const sealer = createColumnSealer(createSealer([key]), [TOKEN_COLUMN]);
    const sealed = sealer.seal(TOKEN_COLUMN, row, Buffer.from('secret'));

    expect(sealer.open(TOKEN_COLUMN, row, sealed).toString()).toBe('secret');
    expect(() => sealer.open(TOKEN_COLUMN, { ...row, id: 'other' }, sealed)).toThrow('belongs to another place');
  });
});
