/** Cards below links of the service. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { findBlockKitProblems } from '../../helpers/block-kit.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { APP_URL, type ChatUnderTest, setUpChat } from './setup.ts';

let under: ChatUnderTest;
let owner: Principal;
let org: string;
let slug: string;
let run: string;
let pack: string;

beforeAll(async () => {
  under = await setUpChat();
  ({ owner, org } = await under.makeOwner());
  await under.connect(owner, org, 'T1');
  under.slack.people.set('UOWNER', { email: owner.user.email, team_id: 'T1' });
  under.slack.people.set('UNOBODY', { email: 'nobody@example.com', team_id: 'T1' });
  ({ slug } = await under.orgs.get(org));
  run = await insertRun(org);
  pack = newId();
  const [start, end] = ['2026-01-01', '2026-02-01'];
  const times = { created_at: under.clock.now, queued_at: under.clock.now, expires_at: under.clock.now };
  await under.database.admin_db('audit_exports').insert({
    ...{ id: pack, org_id: org, status: 'pending', period_start: start, period_end: end },
    ...{ requested_by: owner.user.email, ...times },
  });
});
afterAll(() => under.close());
beforeEach(() => void under.slack.calls.splice(0));

async function insertRun(org_id: string): Promise<string> {
  const id = newId();
  const times = { created_at: under.clock.now, queued_at: under.clock.now, finished_at: under.clock.now };
  await under.database.admin_db('scan_runs').insert({
    ...{ id, org_id, kind: 'analysis', scan_type: 'webhook', status: 'done', ...times },
    result_json: JSON.stringify({ risk_level: 'high' }),
    ...{ repo_owner: 'acme', repo_name: 'shop<!channel>', pr_number: 7 },
  });
  return id;
}

/** Posts links. @returns the cards that Slack is given, by link */
async function post(urls: string[], more: object = {}, user = 'UOWNER'): Promise<Record<string, { blocks: object[] }>> {
  const links = urls.map((url) => ({ url, domain: new URL(url).host }));
  const event = { type: 'link_shared', user, channel: 'C1', message_ts: '1.0', links };
  const call = { type: 'event_callback', team_id: 'T1', event_id: newId(), event_time: 1, event, ...more };
  await under.receive('event', JSON.stringify(call));
  await under.work();
  const sent = under.slack.calls.find(({ method }) => method === 'chat.unfurl');
  return JSON.parse(sent?.form['unfurls'] ?? '{}');
}

const page = (path: string, org_slug = slug) => `${APP_URL}/orgs/${org_slug}/${path}`;

test('links of a member get a card that says little, in which names stay text', async () => {
  const urls = [page(`scans/${run}`), page(`compliance-packs/${pack}`)];
  const cards = await post(urls);

  expect(Object.keys(cards)).toEqual(urls);
  for (const { blocks } of Object.values(cards)) expect(findBlockKitProblems({ text: 'x', blocks })).toEqual([]);
  expect(JSON.stringify(cards)).toContain('*Plan of `acme/shop&lt;!channel&gt;#7`*: high risk');
  expect(JSON.stringify(cards)).toContain('*Compliance Pack* 2026-01-01 to 2026-02-01: waiting');
});

test('a link in a message that is being written is named as Slack names it', async () => {
  const event = { type: 'link_shared', user: 'UOWNER', channel: 'COMPOSER', links: [{ url: page(`scans/${run}`) }] };
  await post([page(`scans/${run}`)], { event: { ...event, unfurl_id: 'u1', source: 'composer' } });

  const { form } = under.slack.calls.find(({ method }) => method === 'chat.unfurl') ?? { form: {} };
  expect(form).toMatchObject({ unfurl_id: 'u1', source: 'composer' });
});

test('nothing is shown for links of a person who is no member, or in a channel shared with another company', async () => {
  expect(await post([page(`scans/${run}`)], {}, 'UNOBODY')).toEqual({});
  expect(await post([page(`scans/${run}`)], { is_ext_shared_channel: true })).toEqual({});
});

test('nothing is shown of other organizations, of what does not exist, and for other links', async () => {
  const stranger = await makeUser(under.database.admin_db);
  const other = await makeOrg(under.database.admin_db, { owner: stranger, plan: 'team' });
  const foreign = await insertRun(other);
  const { slug: other_slug } = await under.orgs.get(other);
  const links = [page(`scans/${foreign}`), page(`scans/${foreign}`, other_slug), page(`scans/${newId()}`)];
  const odd = ['https://evil.example/orgs/x/scans/1', page(`scans/${run}/x`), `${page(`scans/${run}`)}?sig=x`];

  expect(await post([...links, ...odd, page('constructor/x')])).toEqual({});
});
