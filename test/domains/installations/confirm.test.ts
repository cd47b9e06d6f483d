import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ConfirmationPrompt } from '../../../server/domains/installations/types.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { minutesLater } from '../orgs/setup.ts';
import { APP_URL, describeEnd, type InstallationsUnderTest, setUpInstallations, signer } from './setup.ts';

const before = new Date('2026-05-01T12:00:00.000Z');
const INVALID = 'denied confirmation_invalid';

let under: InstallationsUnderTest;
beforeAll(async () => {
  under = await setUpInstallations();
  under.github.addRepo('victim/infra');
});
afterAll(() => under.close());
afterEach(() => {
  under.clock.now = before;
});

/** Created the link, which another person may open: the owner of the account "victim" at GitHub. */
let requester: Principal;
let org: string;
let id: number;
beforeEach(async () => {
  ({ owner: requester, org } = await under.makeOwner());
  id = under.github.install(['victim/infra'], { visible_to: ['victor'] });
});

const opened = async (login = 'victor') => ({
  state: await under.createState(requester, org),
  code: under.github.code(login),
  installation_id: String(id),
});
const createPrompt = async () => under.getPrompt(await opened());
const decide = async (
  { token, browser }: Pick<ConfirmationPrompt, 'token'> & { browser: string | undefined },
  decision: 'link' | 'cancel' = 'link',
) => describeEnd(await under.installations.decide({ token, browser, decision }));
const nothing = async () => {
  expect(await under.rows(org)).toEqual([]);
  expect(under.audit.selectEvents(org)).toEqual([]);
  expect(await under.database.admin_db('api_keys').where({ org_id: org })).toEqual([]);
};

test("a person who opens another person's link is asked with names, and coming back links nothing", async () => {
  const { display_name, slug } = await under.orgs.get(org);

  const prompt = await createPrompt();

  expect(prompt).toMatchObject({
    org: { display_name, slug },
    requested_by: requester.user.email,
    login: 'victor',
    installation: { installation_id: id, account_login: 'victim', repository_selection: 'selected' },
  });
  await nothing();
});

test('a person who comes back with a state that the requester created for their installation is also asked', async () => {
  const { code, ...without_code } = await opened();
  const away = await under.installations.complete(without_code);
  const state = new URL('location' in away ? away.location : '').searchParams.get('state') ?? '';

  expect(await under.getPrompt({ state, code })).toMatchObject({ login: 'victor', org: expect.anything() });
  await nothing();
});

test('a confirmation links the installation and records who confirmed', async () => {
  expect(await decide(await createPrompt())).toBe('connected');

  expect(await under.rows(org)).toMatchObject([{ installation_id: String(id), linked_by: requester.user.id }]);
  expect(under.audit.selectEvents(org, 'scm_installation.created')).toMatchObject([
    { actor_email: requester.user.email, detail: { account_login: 'victim', confirmed_by: 'victor' } },
  ]);
});

describe('an installation is not linked', () => {
  test('if the person declines, and then the confirmation is used up', async () => {
    const prompt = await createPrompt();

    expect(await decide(prompt, 'cancel')).toBe('denied access_denied');
    expect(await decide(prompt)).toBe(INVALID);
    expect(await decide(prompt, 'cancel')).toBe(INVALID);
    await nothing();
  });

  test('in another browser or in none, and the right browser can still confirm', async () => {
    const [prompt, other] = [await createPrompt(), await createPrompt()];

    for (const browser of [undefined, '', other.browser, prompt.browser.slice(1), prompt.token]) {
      expect(await decide({ ...prompt, browser })).toBe(INVALID);
      expect(await decide({ ...prompt, browser }, 'cancel')).toBe(INVALID);
    }
    await nothing();
    expect(await decide(prompt)).toBe('connected');
  });

  test('after ten minutes', async () => {
    const prompt = await createPrompt();
    under.clock.now = minutesLater(before, 10);

    expect(await decide(prompt)).toBe(INVALID);
    await nothing();
  });

  test('with a token that was forged or issued for another purpose', async () => {
    const { token, browser } = await createPrompt();
    const link = await under.createState(requester, org);
    const content = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
    const theirs = await under.makeOwner();
    const signed = (changes: object) => signer.sign('scm-confirm-v1', JSON.stringify({ ...content, ...changes }));
    const tokens = [
      '',
      'x',
      link,
      `${token}x`,
      token.split('.')[0] ?? '',
      signer.sign('scm-state-v1', JSON.stringify(content)),
      signed({ nonce: 'other' }),
      signed({ org_id: theirs.org }),
      signed({ user_id: theirs.owner.user.id }),
      signed({ org_id: 'x' }),
    ];

    for (const one of tokens) expect(await decide({ token: one, browser })).toBe(INVALID);
    expect(await under.installations.decide({ token: 'x', browser, decision: 'link' })).toBe(
      `${APP_URL}/settings?scm=denied&reason=confirmation_invalid`,
    );
    await nothing();
    expect(await under.rows(theirs.org)).toEqual([]);
  });

  test('with a confirmation token that is used as the state of a link', async () => {
    const { token } = await createPrompt();
    const [payload = ''] = token.split('.');
    const as_link = signer.sign('scm-state-v1', Buffer.from(payload, 'base64url').toString());

    for (const state of [token, as_link]) {
      expect(describeEnd(await under.installations.complete({ ...(await opened()), state }))).toBe(
        'denied invalid_state',
      );
    }
    await nothing();
  });

  test.each(['member', 'viewer', 'nobody'])('if the requester becomes %s before the confirmation', async (role) => {
    const prompt = await createPrompt();
    const memberships = under.database.admin_db('memberships').where({ org_id: org, user_id: requester.user.id });
    if (role === 'nobody') await memberships.delete();
    else await memberships.update({ role });

    expect(await decide(prompt)).toBe('denied role_lost');
    await nothing();
  });

  test('if the organization is deleted before the confirmation', async () => {
    const prompt = await createPrompt();
    await under.database.admin_db('orgs').where({ id: org }).update({ deleted_at: before });

    expect(await decide(prompt)).toBe(INVALID);
    await nothing();
  });

  test('if another organization links the installation before the confirmation', async () => {
    const prompt = await createPrompt();
    const theirs = await under.makeOwner();
    const state = await under.createState(theirs.owner, theirs.org);
    expect(describeEnd(await under.comeAndDecide({ ...(await opened()), state }))).toBe('connected');

    expect(await decide(prompt)).toBe('denied already_linked');
    await nothing();
  });

  test('for a person who can see but not manage the installation', async () => {
    under.github.setPermission('victim/infra', 'rita', 'write');
    id = under.github.install(['victim/infra'], { visible_to: ['victor', 'rita'], owned_by: ['victor'] });

    expect(describeEnd(await under.installations.complete(await opened('rita')))).toBe('denied installation_not_yours');
    await nothing();
  });
});

test('of twenty identical concurrent confirmations one links', async () => {
  const prompt = await createPrompt();

  const ends = await Promise.all(Array.from({ length: 20 }, () => decide(prompt)));

  expect(ends.filter((end) => end === 'connected')).toHaveLength(1);
  expect(ends.filter((end) => end === INVALID)).toHaveLength(19);
  expect(await under.rows(org)).toHaveLength(1);
  expect(under.audit.selectEvents(org, 'api_key.created')).toHaveLength(1);
});

test('a confirmation that could not be stored can be sent again', async () => {
  const prompt = await createPrompt();
  await under.database.admin(`alter table scm_installations add constraint broken check (installation_id <> ${id})`);
  await expect(decide(prompt)).rejects.toMatchObject({ code: '23514' });
  await under.database.admin('alter table scm_installations drop constraint broken');

  expect(await decide(prompt)).toBe('connected');
  expect(await under.rows(org)).toHaveLength(1);
});

test('stored values cannot be used to confirm', async () => {
  const { token, browser } = await createPrompt();

  const rows = await under.database.admin_db('oauth_states').where({ org_id: org, purpose: 'scm_confirm' });

  expect(rows).toHaveLength(1);
  const serialized = JSON.stringify(rows.map((row) => Object.values(row).map((value) => String(value))));
  const nonce = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).nonce;
  for (const secret of [token, browser, nonce]) expect(serialized).not.toContain(secret);
});
