import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createEgress, type Egress, EgressError } from '../../../server/adapters/egress/index.ts';
import { createWorkloadIssuers } from '../../../server/adapters/workload-identity/index.ts';
import { createApiKeys } from '../../../server/domains/api-keys/index.ts';
import { createFederation, createTokenExchange } from '../../../server/domains/federation/index.ts';
import type { ExchangeForm, TrustInput } from '../../../server/domains/federation/types.ts';
import { createAuthzBus } from '../../../server/lib/authz-bus.ts';
import { createCredential } from '../../../server/lib/credential.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { addMember, makeOrg, makeUser } from '../../helpers/people.ts';
import { recordedAudit } from '../../helpers/recorded-audit.ts';
import { AUDIENCE, type CiIssuer, GITHUB_CLAIMS, GITLAB_CLAIMS, GITLAB_FORK_CLAIMS, startCi } from './ci-issuer.ts';

const NO_TRUST = {
  status: 400,
  error_class: 'invalid_grant',
  message: 'no trust of the organization matches this token',
};

let database: TestDatabase;
let ci: CiIssuer;
let clock = Date.now();
const now = () => new Date(clock);
beforeAll(async () => {
  [database, ci] = await Promise.all([openTestDatabase(), startCi()]);
});
afterAll(() => Promise.all([database.close(), ci.close()]));
beforeEach(() => {
  clock = Date.now();
  ci.broken = false;
});

/** The domain with its own caches, like a new process. */
function start({ egress = createEgress(), api_url = AUDIENCE as string | null, trusted = [ci.issuer] } = {}) {
  const audit = recordedAudit();
  const authz = createAuthzBus(() => {});
  const announced: unknown[] = [];
  authz.onChange((change) => announced.push(change));
  const { db, platform_db, sweeper_db: sweep_db } = database;
  const log = pino({ level: 'silent' });
  const orgs = { assertRoom: async () => {} };
  const apiKeys = createApiKeys({ db, platform_db, sweep_db, orgs, audit, authz, log, now });
  const issuers = createWorkloadIssuers({ trusted_issuers: trusted, egress, now });
  const settings = {
    api_url,
    subject: 'deployment:test',
    aws_principal_arn: null,
    gcp_audience: null,
    trusted_issuers: trusted,
  };
  const federation = createFederation({ db, sweep_db, issuers, apiKeys, audit, authz, settings, now });
  const { exchange } = createTokenExchange({ db, issuers, apiKeys, api_url, now });
  return { ...federation, exchange, apiKeys, audit, announced };
}

function trustInput(input: Partial<TrustInput> = {}): TrustInput {
  return {
    name: 'CI',
    issuer: ci.issuer,
    conditions: [
      { claim: 'repository_id', op: 'eq', value: '74001' },
      { claim: 'ref', op: 'glob', value: 'refs/heads/*' },
    ],
    scopes: ['analysis:read', 'analysis:write'],
    ttl_seconds: 600,
    ...input,
  };
}

function form(org_id: string, subject_token: string, more: Partial<ExchangeForm> = {}): ExchangeForm {
  return {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    audience: org_id,
    ...more,
  };
}

/** An organization with its owner and a trust in the local CI. */
async function arrange(input: Partial<TrustInput> = {}) {
  const app = start();
  const owner = await makeUser(database.admin_db);
  const org = await makeOrg(database.admin_db, { owner });
  const trust = await app.create(owner, org, trustInput(input));
  return { ...app, owner, org, trust };
}

const github = (claims: Record<string, unknown> = {}) => ci.sign({ ...GITHUB_CLAIMS, ...claims });
const countKeys = async (org: string) =>
  Number((await database.admin_db('api_keys').where({ org_id: org }).count('* as count'))[0]?.['count']);

describe('the token exchange', () => {
  test('a token that meets the conditions becomes a key of its trust that expires by itself', async () => {
    const { exchange, apiKeys, org, owner, trust, list, audit } = await arrange();
    audit.events.length = 0;

    const key = await exchange(form(org.toUpperCase(), await github()));

    expect(key).toMatchObject({ expires_in: 600, scopes: ['analysis:read', 'analysis:write'], org_id: org });
    expect(key.access_token).toMatch(/^dpa_/);
    const opened = await apiKeys.authenticate(createCredential('api_key', key.access_token));
    expect(opened).toMatchObject({
      key: { org_id: org, scopes: ['analysis:read', 'analysis:write'] },
      owner: { id: owner.user.id },
      expires_at: new Date(clock + 600_000),
    });
    const [row] = await database.admin_db('federation_exchanges').where({ org_id: org });
    expect(row).toMatchObject({ trust_id: trust.id, subject: GITHUB_CLAIMS.sub, key_id: opened.key.id });
    expect(await database.admin_db('api_keys').where({ id: opened.key.id }).first()).toMatchObject({
      kind: 'ephemeral',
    });
    expect((await list(org))[0]?.last_used_at).toEqual(now());
    expect(audit.events).toEqual([]);

    clock += 600_000;
    await expect(apiKeys.authenticate(createCredential('api_key', key.access_token))).rejects.toMatchObject({
      error_class: 'invalid_api_key',
    });
  });

  test('a request can ask for fewer scopes than the trust has, but not for more', async () => {
    const { exchange, org } = await arrange();

    expect(await exchange(form(org, await github(), { scope: 'analysis:read' }))).toMatchObject({
      scopes: ['analysis:read'],
    });
    for (const scope of ['scans:write', 'analysis:read scans:read', 'admin', 'write', ' ']) {
      await expect(exchange(form(org, await github(), { scope }))).rejects.toMatchObject({
        status: 400,
        error_class: 'invalid_scope',
      });
    }
    expect(await countKeys(org)).toBe(1);
  });

  test('the first trust whose conditions and scopes match is used', async () => {
    const { exchange, create, owner, org, list } = await arrange();
    await create(owner, org, trustInput({ name: 'scans', scopes: ['scans:read'], ttl_seconds: 60 }));

    const key = await exchange(form(org, await github(), { scope: 'scans:read' }));

    expect(key).toMatchObject({ expires_in: 60, scopes: ['scans:read'] });
    expect((await list(org)).map(({ name, last_used_at }) => [name, last_used_at !== null])).toEqual([
      ['scans', true],
      ['CI', false],
    ]);
  });

  test('a job of the project gets a key, but a merge request from a fork does not', async () => {
    const { exchange, org } = await arrange({ conditions: [{ claim: 'project_id', op: 'eq', value: '20' }] });

    await exchange(form(org, await ci.sign(GITLAB_CLAIMS)));

    await expect(exchange(form(org, await ci.sign(GITLAB_FORK_CLAIMS)))).rejects.toMatchObject(NO_TRUST);
  });

  test('fifty concurrent exchanges of one token create one key', async () => {
    const { exchange, org } = await arrange();
    const token = await github();

    const ends = await Promise.allSettled(Array.from({ length: 50 }, () => exchange(form(org, token))));

    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends) {
      if (end.status === 'rejected') expect(end.reason).toMatchObject({ error_class: 'invalid_grant' });
    }
    expect(await countKeys(org)).toBe(1);
  });

  test('a token that one organization exchanged is rejected for every other', async () => {
    const [first, second] = [await arrange(), await arrange()];
    const token = await github();
    await first.exchange(form(first.org, token));

    await expect(second.exchange(form(second.org, token))).rejects.toMatchObject({
      error_class: 'invalid_grant',
      message: 'this token was already exchanged',
    });
    expect(await countKeys(second.org)).toBe(0);
  });

  test('a trust creates 120 keys an hour, then reports when the next one is possible', async () => {
    const { exchange, org, trust } = await arrange();
    const row = { org_id: org, trust_id: trust.id, issuer: ci.issuer, subject: 's', expires_at: now() };
    await database.admin_db('federation_exchanges').insert(
      Array.from({ length: 119 }, (_, index) => ({
        ...row,
        id: newId(),
        jti: newId(),
        key_id: newId(),
        exchanged_at: new Date(clock - 3_000_000 + index),
      })),
    );
    await exchange(form(org, await github()));
    const late = await github();

    await expect(exchange(form(org, late))).rejects.toMatchObject({ status: 429, extra: { retry_after: 600 } });

    clock += 600_000;
    await expect(exchange(form(org, late))).resolves.toMatchObject({ org_id: org });
  });
});

describe('rejected tokens', () => {
  test.each<[string, (now_s: number) => Record<string, unknown>, RegExp]>([
    ['another audience', () => ({ aud: 'https://other.example.com' }), /audience must be/],
    ['no audience', () => ({ aud: undefined }), /audience must be/],
    ['no exp', () => ({ exp: undefined }), /no exp/],
    ['an exp in the past', (now_s) => ({ exp: now_s - 60 }), /expired/],
    ['an exp more than an hour ahead', (now_s) => ({ exp: now_s + 3_700 }), /more than an hour/],
    ['an exp that is a string', (now_s) => ({ exp: String(now_s + 60) }), /no exp/],
    ['an nbf ahead', (now_s) => ({ nbf: now_s + 300 }), /not valid yet/],
    ['no jti', () => ({ jti: undefined }), /usable jti/],
    ['a jti that is a number', () => ({ jti: 1 }), /usable jti/],
    ['a jti with a NUL', () => ({ jti: 'a\u0000b' }), /usable jti/],
    ['a jti of 256 characters', () => ({ jti: 'a'.repeat(256) }), /usable jti/],
    ['no sub', () => ({ sub: undefined }), /usable sub/],
    ['no iss', () => ({ iss: undefined }), /no iss/],
  ])('a token with %s is rejected', async (_title, claims, why) => {
    const { exchange, org } = await arrange();
    // The library cannot sign an exp that is a string, but it can be sent.
    const token = await github(claims(Math.floor(clock / 1000))).catch(() =>
      unsigned(claims(Math.floor(clock / 1000))),
    );

    await expect(exchange(form(org, token))).rejects.toMatchObject({
      status: 400,
      error_class: 'invalid_grant',
      message: expect.stringMatching(why),
    });
    expect(await countKeys(org)).toBe(0);
  });

  test('an unsigned token, or one signed with a public value, is rejected', async () => {
    const { exchange, org } = await arrange();
    const [head, payload, signature] = (await github()).split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const hs256 = `${encode({ alg: 'HS256' })}.${payload}`;
    const forgeries = [
      `${encode({ alg: 'none' })}.${payload}.`,
      `${hs256}.${createHmac('sha256', 'public key').update(hs256).digest('base64url')}`,
      `${head}.${payload}.`,
      `${head}.${payload}.${signature?.replace(/^..../, 'AAAA')}`,
      `${encode({ alg: 'RS256', kid: 'unknown' })}.${payload}.${signature}`,
      'not a token',
      '',
    ];

    for (const token of forgeries) {
      await expect(exchange(form(org, token))).rejects.toMatchObject({ status: 400, error_class: 'invalid_grant' });
    }
    expect(await countKeys(org)).toBe(0);
  });

  test('the error is the same for a missing organization, a missing trust, a bad signature and unmet conditions', async () => {
    const { exchange, org } = await arrange();
    const other = await makeOrg(database.admin_db, { owner: await makeUser(database.admin_db) });
    const good = await github();
    const forged = `${good.slice(0, good.lastIndexOf('.'))}.AAAA`;

    const failures = await Promise.all(
      [
        form(newId(), good),
        form('no-uuid', good),
        form(other, good),
        form(org, forged),
        form(org, await github({ repository_id: '74002' })),
        form(org, await github({ ref: 'refs/tags/v1' })),
        form(org, await github({ iss: 'https://foreign.example.com' })),
      ].map((one) => exchange(one).catch((error) => ({ ...error, message: error.message, stack: undefined }))),
    );

    expect(new Set(failures.map((failure) => JSON.stringify(failure))).size).toBe(1);
    expect(failures[0]).toMatchObject(NO_TRUST);
  });

  test('a trust that is disabled, deleted or of a deleted organization creates no key', async () => {
    const disabled = await arrange({ enabled: false });
    await expect(disabled.exchange(form(disabled.org, await github()))).rejects.toMatchObject(NO_TRUST);

    const removed = await arrange();
    await removed.remove(removed.owner, removed.org, removed.trust.id);
    await expect(removed.exchange(form(removed.org, await github()))).rejects.toMatchObject(NO_TRUST);

    const deleted = await arrange();
    await database.admin_db('orgs').where({ id: deleted.org }).update({ deleted_at: now() });
    await expect(deleted.exchange(form(deleted.org, await github()))).rejects.toMatchObject(NO_TRUST);
  });

  test.each<[string, (org: string, creator: Principal) => Promise<unknown>]>([
    ['left', (org_id, { user }) => database.admin_db('memberships').where({ org_id, user_id: user.id }).delete()],
    [
      'an expired membership',
      (org_id, { user }) =>
        database
          .admin_db('memberships')
          .where({ org_id, user_id: user.id })
          .update({ expires_at: new Date(clock - 1) }),
    ],
    [
      'a deleted account',
      (_org, { user }) => database.admin_db('users').where({ id: user.id }).update({ deleted_at: now() }),
    ],
  ])('a trust whose creator has %s creates no key, and another trust is used', async (_title, end) => {
    const { exchange, create, org, owner } = await arrange();
    const successor = await makeUser(database.admin_db);
    await addMember(database.admin_db, org, successor, 'admin');
    await end(org, owner);
    await expect(exchange(form(org, await github()))).rejects.toMatchObject({
      error_class: 'invalid_grant',
      message: expect.stringMatching(/left the organization/),
    });

    await create(successor, org, trustInput());

    await expect(exchange(form(org, await github()))).resolves.toMatchObject({ org_id: org });
  });

  test('another grant or token type is rejected with the OAuth 2.0 error code', async () => {
    const { exchange, org } = await arrange();
    const token = await github();

    await expect(exchange(form(org, token, { grant_type: 'authorization_code' }))).rejects.toMatchObject({
      error_class: 'unsupported_grant_type',
    });
    await expect(
      exchange(form(org, token, { subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' })),
    ).rejects.toMatchObject({ error_class: 'invalid_request' });
    await expect(
      exchange(form(org, token, { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' })),
    ).resolves.toMatchObject({ org_id: org });
  });

  test('all tokens are rejected if the deployment has no address', async () => {
    const { exchange, info } = start({ api_url: null });

    await expect(exchange(form(newId(), 'x'))).rejects.toMatchObject({ error_class: 'federation_not_configured' });
    expect(() => info()).toThrow(expect.objectContaining({ status: 503, error_class: 'federation_not_configured' }));
  });

  function unsigned(claims: Record<string, unknown>): string {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const standard = { ...GITHUB_CLAIMS, iss: ci.issuer, aud: AUDIENCE, jti: newId() };
    return `${encode({ alg: 'RS256' })}.${encode({ ...standard, ...claims })}.AAAA`;
  }
});

describe('the keys of an issuer', () => {
  test('issuer keys are fetched once for many tokens, and never for a token whose issuer is not trusted', async () => {
    const { exchange, org } = await arrange();
    const before = ci.requests.length;

    await Promise.all(Array.from({ length: 10 }, async () => exchange(form(org, await github()))));
    await exchange(form(org, await github({ iss: `${ci.issuer}/other` }))).catch(() => {});
    await exchange(form(newId(), await github())).catch(() => {});

    expect(ci.requests.slice(before)).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  test('many unknown key ids cause at most one more fetch', async () => {
    const { exchange, org } = await arrange();
    await exchange(form(org, await github()));
    const before = ci.requests.length;

    const flood = Array.from({ length: 50 }, async (_, index) =>
      exchange(form(org, await ci.sign(GITHUB_CLAIMS, { kid: `kid-${index}` }))),
    );
    await Promise.allSettled(flood);

    expect(ci.requests.length - before).toBeLessThanOrEqual(1);
  });

  test('while the keys cannot be fetched the exchange fails for unknown issuers only', async () => {
    const [cold, warm] = [await arrange(), await arrange()];
    await warm.exchange(form(warm.org, await github()));
    ci.broken = true;

    await expect(cold.exchange(form(cold.org, await github()))).rejects.toMatchObject({
      status: 503,
      error_class: 'unavailable',
    });
    await expect(warm.exchange(form(warm.org, await github()))).resolves.toMatchObject({ org_id: warm.org });

    ci.broken = false;
    await expect(cold.exchange(form(cold.org, await github()))).resolves.toMatchObject({ org_id: cold.org });
  });
});

describe('federation trusts', () => {
  test('trusts are listed newest first with their creator, and a creation is audited', async () => {
    const { create, list, audit, owner, org, trust } = await arrange();
    clock += 1_000;

    const second = await create(owner, org, trustInput({ name: '  Deploy ', enabled: false }));

    expect(second).toMatchObject({ name: 'Deploy', enabled: false, last_used_at: null });
    expect(await list(org)).toEqual([second, trust]);
    expect(trust.created_by).toEqual({ id: owner.user.id, email: owner.user.email });
    expect(audit.events.at(-1)).toEqual({
      action: 'federation_trust.created',
      org_id: org,
      actor_email: owner.user.email,
      detail: { trust_id: second.id, issuer: ci.issuer, scopes: ['analysis:read', 'analysis:write'] },
    });
  });

  test('deleting a trust ends its keys immediately and invalidates cached keys', async () => {
    const { exchange, remove, apiKeys, audit, announced, owner, org, trust } = await arrange();
    const { access_token } = await exchange(form(org, await github()));
    const { key } = await apiKeys.authenticate(createCredential('api_key', access_token));

    await remove(owner, org, trust.id);

    await expect(apiKeys.authenticate(createCredential('api_key', access_token))).rejects.toMatchObject({
      error_class: 'invalid_api_key',
    });
    expect(announced).toEqual([{ what: 'key', id: key.id }]);
    expect(audit.events.at(-1)).toMatchObject({ action: 'federation_trust.deleted', detail: { trust_id: trust.id } });
    await expect(remove(owner, org, trust.id)).rejects.toMatchObject({ status: 404 });
  });

  test('trusts of another organization cannot be read or changed', async () => {
    const [ours, theirs] = [await arrange(), await arrange()];

    await expect(ours.remove(ours.owner, ours.org, theirs.trust.id)).rejects.toMatchObject({ status: 404 });

    expect((await ours.list(ours.org)).map(({ id }) => id)).toEqual([ours.trust.id]);
    expect(await theirs.list(theirs.org)).toHaveLength(1);
  });

  test('trusts whose conditions use only names are rejected', async () => {
    const { create, owner, org } = await arrange();
    const conditions = [{ claim: 'repository', op: 'eq' as const, value: 'acme/infra' }];

    await expect(create(owner, org, trustInput({ conditions }))).rejects.toMatchObject({ status: 400 });
  });

  test('exchanges are kept for ninety days', async () => {
    const { exchange, deleteOldExchanges, org } = await arrange();
    await exchange(form(org, await github()));
    const count = async () => (await database.admin_db('federation_exchanges').where({ org_id: org })).length;

    clock += 89 * 86_400_000;
    await deleteOldExchanges();
    expect(await count()).toBe(1);

    clock += 2 * 86_400_000;
    await deleteOldExchanges();
    expect(await count()).toBe(0);
  });
});

describe('an issuer that the operator has not configured', () => {
  const ISSUER = 'https://ci.example.com';

  /** The real rules of the guard, with documents instead of the network. */
  function egressWith(documents: Record<string, unknown>): Egress {
    const guard = createEgress();
    return {
      assertPublicUrl: guard.assertPublicUrl,
      async getJson(url) {
        guard.assertPublicUrl(url, 'url');
        if (!(url in documents)) throw new EgressError('unusable', 'ci.example.com responded with status 404');
        return documents[url];
      },
    };
  }

  async function tryToTrust(issuer: string, document?: unknown) {
    const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const app = start({ egress: egressWith(document === undefined ? {} : { [discovery]: document }) });
    const owner = await makeUser(database.admin_db);
    const org = await makeOrg(database.admin_db, { owner });
    return app.create(owner, org, trustInput({ issuer }));
  }

  test('an issuer is accepted if its discovery document names itself', async () => {
    const trust = await tryToTrust(ISSUER, { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` });

    expect(trust.issuer).toBe(ISSUER);
  });

  test.each<[string, string, unknown, string]>([
    ['has no discovery document', ISSUER, undefined, 'invalid_request'],
    ['names a different issuer', ISSUER, { issuer: 'https://gitlab.com', jwks_uri: `${ISSUER}/k` }, 'invalid_request'],
    ['differs by a slash', `${ISSUER}/`, { issuer: ISSUER, jwks_uri: `${ISSUER}/k` }, 'invalid_request'],
    ['names no jwks_uri', ISSUER, { issuer: ISSUER }, 'invalid_request'],
    ['answers with null', ISSUER, null, 'invalid_request'],
    ['has its keys at a local address', ISSUER, { issuer: ISSUER, jwks_uri: 'https://127.0.0.1/k' }, 'url_not_allowed'],
    ['has its keys at http', ISSUER, { issuer: ISSUER, jwks_uri: 'http://ci.example.com/k' }, 'invalid_request'],
    ['has a query', `${ISSUER}?x=1`, undefined, 'url_not_allowed'],
    ['is not https', 'http://ci.example.com', undefined, 'url_not_allowed'],
    ['is the metadata service', 'https://169.254.169.254', undefined, 'url_not_allowed'],
    ['is an internal name', 'https://vault.internal', undefined, 'url_not_allowed'],
  ])('an issuer is rejected if it %s', async (_title, issuer, document, error_class) => {
    await expect(tryToTrust(issuer, document)).rejects.toMatchObject({ status: 400, error_class });
  });
});

test('setup details for clouds and CI', () => {
  expect(start({ trusted: ['https://gitlab.com'] }).info()).toEqual({
    subject: 'deployment:test',
    issuer: AUDIENCE,
    jwks_uri: `${AUDIENCE}/.well-known/jwks.json`,
    org_subject_template: 'deployment:test:org:{org_id}',
    audiences: {
      aws: 'sts.amazonaws.com',
      gcp: expect.stringMatching(/./),
      azure: 'api://AzureADTokenExchange',
    },
    aws_principal_arn: null,
    token_exchange: {
      endpoint: `${AUDIENCE}/api/v2/federation/token`,
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_types: ['urn:ietf:params:oauth:token-type:jwt', 'urn:ietf:params:oauth:token-type:id_token'],
      audience: AUDIENCE,
      max_ttl_seconds: 900,
      trusted_issuers: ['https://gitlab.com'],
    },
  });
});
