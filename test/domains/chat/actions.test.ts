/** What members do with the buttons of a message about drift. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { findViewProblems } from '../../helpers/block-kit.ts';
import { addMember, makeUser } from '../../helpers/people.ts';
import { buildAccount } from '../notifications/samples.ts';
import { type ChatUnderTest, setUpChat } from './setup.ts';

let under: ChatUnderTest;
let owner: Principal;
let org: string;
let thread: string;

const [SNAPSHOT, ITEM, ACCOUNT] = [newId(), newId(), newId()];
const DRIFT = {
  ...{ id: ITEM, drift_type: 'changed' as const, resource_address: 'aws_s3_bucket.logs', level: 'high' as const },
  ...{ provider_resource_id: 'logs', name: 'logs', resource_type: 'aws_s3_bucket', provider_type: 'AWS::S3::Bucket' },
  ...{ normalized_type: 'storage', suppressed: false, reasons: [] },
};

beforeAll(async () => {
  under = await setUpChat();
  ({ owner, org } = await under.makeOwner());
  await under.connect(owner, org, 'T1');
  under.slack.people.set('UOWNER', { email: owner.user.email, team_id: 'T1' });
  for (const role of ['member', 'viewer'] as const) {
    const person = await makeUser(under.database.admin_db);
    await addMember(under.database.admin_db, org, person, role);
    under.slack.people.set(`U${role.toUpperCase()}`, { email: person.user.email, team_id: 'T1' });
  }
  under.slack.people.set('UNOBODY', { email: 'nobody@example.com', team_id: 'T1' });
  const known = { provider: 'aws', undeclared_count: 0, changed_count: 1, missing_count: 0, last_scan_at: null };
  under.accounts.push({ ...known, cloud_account_id: ACCOUNT, display_name: 'prod', drift_snapshot_id: SNAPSHOT });
  const snapshot = { narrative: null, rules_narrative: '', scan_run_id: newId() };
  under.snapshots.set(SNAPSHOT, { snapshot, items: [DRIFT], items_total: 1 });
});
afterAll(() => under.close());

beforeEach(() => {
  thread = newId();
  under.drift.threads.set(thread, [{ ...buildAccount(), cloud_account_id: ACCOUNT }]);
  under.drift.created.splice(0);
  under.drift.shown.splice(0);
  under.running.clear();
});

let made = 0;
async function send(content: object, user_id: string): Promise<void> {
  made += 1;
  const payload = { team: { id: 'T1' }, user: { id: user_id }, trigger_id: `trigger ${made}`, ...content };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  await under.receive('interaction', body);
  await under.work();
}

/** Presses a button of the message. @returns what only this person reads */
async function press(action_id: string, user_id = 'UOWNER', value = sign(action_id)): Promise<string> {
  const answers = under.slack.answers.length;
  const { response_url } = under.slack;
  const where = { response_url, channel: { id: 'C1' }, message: { ts: '1.0' } };
  await send({ type: 'block_actions', ...where, actions: [{ type: 'button', action_id, value }] }, user_id);
  return JSON.stringify(under.slack.answers.slice(answers).map(({ text }) => text));
}

function sign(action: string): string {
  return under.buttons.sign(action, { org_id: org, id: thread });
}

interface View {
  private_metadata: string;
  submit?: object;
  blocks: object[];
}

/** The dialog as the person sees it now. */
function readDialog(): View {
  const call = under.slack.calls.findLast(({ method }) => method.startsWith('views.'));
  const view: View = JSON.parse(call?.form['view'] ?? '{}');
  expect(findViewProblems(view)).toEqual([]);
  return view;
}

async function choose(scope?: string, user_id = 'UOWNER', item = ITEM): Promise<View> {
  const difference = { pick_difference: { selected_option: { value: `${SNAPSHOT}:${item}` } } };
  const values = { difference, ...(scope && { scope: { pick_scope: { selected_option: { value: scope } } } }) };
  const view = { id: 'V1', callback_id: 'ignore_drift', private_metadata: readDialog().private_metadata };
  const actions = [{ type: 'static_select', action_id: 'pick_difference', selected_option: { value: 'x' } }];
  await send({ type: 'block_actions', view: { ...view, state: { values } }, actions }, user_id);
  return readDialog();
}

async function submit(user_id = 'UOWNER', { private_metadata } = readDialog()): Promise<string> {
  const before = under.slack.calls.length;
  const values = {
    reason: { reason: { value: 'known <!channel>' } },
    days: { days: { selected_option: { value: '30' } } },
  };
  const view = { id: 'V1', callback_id: 'ignore_drift', private_metadata, state: { values } };
  await send({ type: 'view_submission', view }, user_id);
  return under.slack.calls.slice(before).find(({ method }) => method === 'chat.postEphemeral')?.form['text'] ?? '';
}

test('a member snoozes and acknowledges once, and whoever comes later learns who did', async () => {
  expect(await press('snooze', 'UMEMBER')).toContain('Snoozed until');
  expect(await press('snooze')).toContain('has snoozed this until');
  expect(await press('acknowledge')).toContain('Acknowledged');
  expect(await press('acknowledge')).toContain('has acknowledged this');

  const place = { team_id: 'T1', channel_id: 'C1', cloud_account_ids: [ACCOUNT] };
  expect(under.audit.selectEvents(org, 'chat.drift_snoozed')).toEqual([
    expect.objectContaining({ detail: expect.objectContaining(place) }),
  ]);
  expect(under.audit.selectEvents(org, 'chat.drift_acknowledged')).toEqual([
    expect.objectContaining({ actor_email: owner.user.email, detail: place }),
  ]);
});

test('a scan from a message starts once, is in the audit log, and the channel sees who started it', async () => {
  expect(await press('scan_again', 'UMEMBER')).toContain('A scan of prod has started');
  under.running.add(ACCOUNT);
  expect(await press('scan_again')).toContain('waiting or running already');

  expect(under.audit.selectEvents(org, 'chat.scan_started')).toEqual([
    expect.objectContaining({ detail: expect.objectContaining({ cloud_account_id: ACCOUNT, channel_id: 'C1' }) }),
  ]);
  expect(under.drift.shown).toEqual([expect.objectContaining({ action: 'scanned', what: 'prod', ids: [ACCOUNT] })]);
});

test.each(['scan_again', 'snooze', 'acknowledge', 'ignore'])(
  'the button %s tells people what they lack, and does nothing',
  async (action) => {
    expect(await press(action, 'UNOBODY')).toContain('Ask an owner for an invitation');
    expect(await press(action, 'UVIEWER')).toContain('you have the role viewer. Ask an owner to change it');
    expect(await press(action, 'UOWNER', 'a.b')).toContain('no longer works');
    const other = under.buttons.sign('rescan', { org_id: org, id: thread });
    expect(await press(action, 'UOWNER', other)).toContain('no longer works');
    under.drift.threads.set(thread, []);
    expect(await press(action)).toContain('is gone');
    expect(under.drift.shown).toEqual([]);
  },
);

test('a rule is created only after its dialog showed exactly what it hides', async () => {
  await press('ignore');
  expect(readDialog().submit).toBeUndefined();
  const items = [{ ...DRIFT, resource_address: 'aws_s3_bucket.logs' }];
  Object.assign(under.drift.preview, { match_count: 1, items });
  const dialog = await choose();

  expect(JSON.stringify(dialog)).toContain('would ignore *1 of 3* differences');
  expect(JSON.stringify(dialog)).toContain('`aws_s3_bucket.logs` changed outside of the code, high');
  expect(await submit()).toContain('Ignored from the next scan on until');
  expect(under.drift.created).toEqual([
    {
      ...{ drift_types: ['changed'], address: 'aws_s3_bucket.logs', reason: 'known <!channel>' },
      expires_at: new Date(under.clock.now.getTime() + 30 * 86_400_000).toISOString(),
    },
  ]);
  expect(under.drift.shown).toEqual([expect.objectContaining({ action: 'ignored', what: 'aws_s3_bucket.logs' })]);
  expect(await submit()).toContain('exists already');
  expect(under.drift.created).toHaveLength(1);
});

test('a rule for a type names the type, and one that hides nothing cannot be created', async () => {
  await press('ignore');
  Object.assign(under.drift.preview, { match_count: 0, protected_count: 2, items: [] });
  const nothing = await choose('type');
  Object.assign(under.drift.preview, { match_count: 2, protected_count: 0 });
  await choose('type');
  await submit();

  expect(nothing.submit).toBeUndefined();
  expect(JSON.stringify(nothing)).toContain('would ignore nothing');
  expect(under.drift.created).toMatchObject([{ drift_types: ['changed'], resource_type: 'aws_s3_bucket' }]);
});

test('nothing is created when the drift has changed since the dialog, or the role is gone, or nothing was shown', async () => {
  await press('ignore');
  const unseen = readDialog();
  expect(await submit('UOWNER', unseen)).toContain('is gone');
  await choose();
  expect(await submit('UMEMBER')).toContain('needs the role admin');
  Object.assign(under.drift.preview, { match_count: 3 });
  expect(await submit()).toContain('has changed since');
  expect(await submit('UOWNER', { ...unseen, private_metadata: 'a.b' })).toBe('');
  expect(under.drift.created).toEqual([]);
});

test('a dialog that is too old, or shows a difference of no message, says so', async () => {
  await press('ignore');
  expect(JSON.stringify(await choose('one', 'UOWNER', newId()))).toContain('is gone');
  await press('ignore');
  under.clock.now = new Date(under.clock.now.getTime() + 2 * 3_600_000);
  expect(JSON.stringify(await choose())).toContain('too old');
});

test('a dialog that Slack does not open in time is explained', async () => {
  const fail = (error: string) => under.slack.failMethod('views.open', error);
  fail('expired_trigger_id');
  expect(await press('ignore')).toContain('Press the button again');
  fail('exchanged_trigger_id');
  expect(await press('ignore')).toBe('[]');
});

test('a button that does not exist says so', async () => {
  expect(await press('constructor')).toContain('no longer works');
});
