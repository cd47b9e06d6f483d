/** Suppressing the recurring noise of an analysis from its message. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Change, RiskLevel } from '../../../engine/index.ts';
import { previewNoise } from '../../../server/domains/chat/noise-choice.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { findViewProblems } from '../../helpers/block-kit.ts';
import { addMember, makeUser } from '../../helpers/people.ts';
import { hashFingerprint, occurrence } from '../noise/setup.ts';
import { type ChatUnderTest, setUpChat } from './setup.ts';

const RUN = { repo_owner: 'acme', repo_name: 'infra' };

let under: ChatUnderTest;
let owner: Principal;
let org: string;
let run: string;

beforeAll(async () => {
  under = await setUpChat();
});
afterAll(() => under.close());
beforeEach(async () => {
  ({ owner, org } = await under.makeOwner());
  const team = `T${newId()}`;
  await under.connect(owner, org, team);
  under.slack.people.set('UOWNER', { email: owner.user.email, team_id: team });
  const member = await makeUser(under.database.admin_db);
  await addMember(under.database.admin_db, org, member, 'member');
  under.slack.people.set('UMEMBER', { email: member.user.email, team_id: team });
  const noisy = [change('tags', 'high'), change('count', 'medium'), change('other', 'low')];
  run = newId();
  under.results.set(run, { run: RUN, result: toResult(noisy) });
  await recur('tags', 'count');
});

/** Patterns occur in more analyses than the threshold of the organization. */
async function recur(...names: string[]): Promise<void> {
  for (let n = 0; n < 8; n += 1) {
    await under.noise.analyze(
      org,
      names.map((name) => occurrence(name)),
      { commit: `commit ${n}` },
    );
  }
  await under.noise.list(org, { include_suppressed: true });
}

/** A change with one difference that nothing judges to be noise. */
function change(name: string, level: RiskLevel, { action = 'update', guarded = false, also = '' } = {}): Change {
  const difference = {
    ...{ path: 'desired_count', path_segments: ['desired_count'], noise: 'novel' },
    ...{ before_sensitive: false, after_sensitive: false },
  };
  const fingerprints = [name, also].filter((one) => one !== '').map(hashFingerprint);
  return {
    ...{ address: `aws_ecs_service.${name}`, type: 'aws_ecs_service', action, attributes_truncated: false },
    risk: { level, guarded },
    attributes: [difference],
    noise: { classification: 'novel', overridden: false, fingerprints },
  } as unknown as Change;
}

function toResult(changes: Change[], changes_total = changes.length) {
  const risk_level = changes[0]?.risk.level ?? 'none';
  return { risk_level, changes, changes_total, changes_truncated: changes_total > changes.length };
}

let made = 0;
async function send(content: object, user_id: string): Promise<void> {
  made += 1;
  const { team_id } = await under.installation(org);
  const payload = { team: { id: team_id }, user: { id: user_id }, trigger_id: `trigger ${made}`, ...content };
  await under.receive('interaction', new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
  await under.work();
}

/** @returns what only this person reads */
async function press(user_id = 'UOWNER', id = run): Promise<string> {
  const answers = under.slack.answers.length;
  const value = under.buttons.sign('suppress', { org_id: org, id });
  const where = { response_url: under.slack.response_url, channel: { id: 'C1' }, message: { ts: '1.0' } };
  await send({ type: 'block_actions', ...where, actions: [{ type: 'button', action_id: 'suppress', value }] }, user_id);
  return JSON.stringify(under.slack.answers.slice(answers).map(({ text }) => text));
}

function readDialog(): { private_metadata: string; blocks: object[] } {
  const call = under.slack.calls.findLast(({ method }) => method === 'views.open');
  const view = JSON.parse(call?.form['view'] ?? '{}');
  expect(findViewProblems(view)).toEqual([]);
  return view;
}

async function submit(user_id = 'UOWNER', days = '30'): Promise<string> {
  const { private_metadata } = readDialog();
  const before = under.slack.calls.length;
  const values = { reason: { reason: { value: 'known' } }, days: { days: { selected_option: { value: days } } } };
  const view = { id: 'V1', callback_id: 'suppress_noise', private_metadata, state: { values } };
  await send({ type: 'view_submission', view }, user_id);
  return under.slack.calls.slice(before).find(({ method }) => method === 'chat.postEphemeral')?.form['text'] ?? '';
}

const suppressions = async () =>
  (await under.noise.noise.suppressions.list(org, { include_expired: false }, { limit: 50, offset: 0 })).suppressions;
const audited = () =>
  under.noise.audit.events.filter(({ action, org_id }) => action === 'plan_noise.suppressed' && org_id === org);

test('an admin sees what a suppression hides and what becomes of the risk, and suppresses exactly that', async () => {
  expect(await press()).toBe('[]');
  const dialog = JSON.stringify(readDialog());
  expect(dialog).toContain('This hides *2 of 3 changes* of the analysis');
  expect(dialog).toContain('`aws_ecs_service.tags` high');
  expect(dialog).toContain('Risk of the analysis: *high*. Highest risk of a change without them: *low*.');
  expect(await suppressions()).toEqual([]);

  expect(await submit()).toContain('2 patterns');
  const pairs = (await suppressions()).map(({ resource_address, duration, reason, suppressed_by }) =>
    [resource_address, duration, reason, suppressed_by].join(' '),
  );
  expect(pairs.sort()).toEqual([
    `aws_ecs_service.count 30d known ${owner.user.email}`,
    `aws_ecs_service.tags 30d known ${owner.user.email}`,
  ]);
  expect(audited()).toMatchObject([{ actor_email: owner.user.email, detail: { duration: '30d' } }]);
});

test('a duration without an end is possible', async () => {
  await press();
  await submit('UOWNER', 'never');
  expect((await suppressions()).map(({ duration }) => duration)).toEqual(['forever', 'forever']);
});

test('a member without the role can neither open the dialog nor submit it', async () => {
  expect(await press('UMEMBER')).toContain('This needs the role admin; you have the role member.');
  await press();
  expect(await submit('UMEMBER')).toContain('This needs the role admin');
  expect(await suppressions()).toEqual([]);
});

test('nothing is suppressed if it is not what the dialog has shown, and a second submission changes nothing', async () => {
  await press();
  await recur('other');
  expect(await submit()).toContain('the patterns have changed');
  expect(await suppressions()).toEqual([]);

  await press();
  expect(await submit()).toContain('3 patterns');
  expect(await submit()).toContain('the patterns have changed');
  expect(audited()).toHaveLength(1);
});

test('an analysis without recurring changes, and one that was deleted, open no dialog', async () => {
  const quiet = newId();
  under.results.set(quiet, { run: RUN, result: toResult([change('other', 'high')]) });
  expect(await press('UOWNER', quiet)).toContain('no recurring changes');
  expect(await press('UOWNER', newId())).toContain('was deleted');
});

test('a change that is guarded, has several patterns, or is no update does not lower the risk', () => {
  const changes = [
    change('guarded', 'critical', { guarded: true }),
    change('two', 'high', { also: 'more' }),
    change('tags', 'medium', { action: 'replace' }),
    change('count', 'low'),
  ];
  const recurring = ['guarded', 'two', 'more', 'tags', 'count'].map((name) => ({
    fingerprint: hashFingerprint(name),
    resource_address: `aws_ecs_service.${name}`,
  }));

  const { hidden, risk_without } = previewNoise(toResult(changes), recurring);
  expect(hidden.map(({ resource_address }) => resource_address)).toEqual([
    'aws_ecs_service.tags',
    'aws_ecs_service.count',
  ]);
  expect(risk_without).toBe('critical');
  expect(previewNoise(toResult(changes.slice(2)), recurring).risk_without).toBe('medium');
});

test('changes that a result does not list keep the level of the last one that it lists', () => {
  const recurring = [{ fingerprint: hashFingerprint('tags'), resource_address: 'aws_ecs_service.tags' }];
  expect(previewNoise(toResult([change('tags', 'high')], 9), recurring).risk_without).toBe('high');
});
