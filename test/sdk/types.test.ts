/** Type errors; `npm run check` compiles this file, and an expected error that does not occur fails there. */
import { expect, test } from '@jest/globals';
import { type Client, DpaApiError, DpaError, isApiError, type Schemas, verifyWebhook } from '../../sdk/src/index.ts';

/** Never called: only its types are tested. */
async function callWrongly(client: Client): Promise<void> {
  // @ts-expect-error an operation that does not exist
  await client.call('getNothing');
  // @ts-expect-error missing path parameters
  await client.call('getOrg');
  // @ts-expect-error an unknown path parameter
  await client.call('getOrg', { path: { org: 'x' } });
  // @ts-expect-error a query parameter that is not declared
  await client.call('listScans', { path: { id: 'x' }, query: { color: 'red' } });
  // @ts-expect-error a query value that is not declared
  await client.call('listScans', { path: { id: 'x' }, query: { status: 'odd' } });
  // @ts-expect-error a missing body
  await client.call('createOrg');
  // @ts-expect-error a body without a required member
  await client.call('createCustomRule', { path: { id: 'x' }, body: { name: 'x' } });
  // @ts-expect-error a body for an operation without one
  await client.call('getMe', { body: {} });
  // @ts-expect-error a header that is not declared
  await client.call('getMe', { headers: { 'If-None-Match': 'x' } });
  // @ts-expect-error a list without pages
  client.paginate('listDomains');
  // @ts-expect-error a missing plan
  await client.analyze({ org_id: 'x' });
  // @ts-expect-error a method that does not exist
  await client.orgs.rename({});
  // @ts-expect-error a missing path parameter
  await client.scans.get({});
  // @ts-expect-error a query parameter that is not declared
  await client.scans.list({ color: 'red' });
  // @ts-expect-error a missing body member
  await client.customRules.create({ name: 'x' });
  // @ts-expect-error a conditional request of an operation without a 304 response
  await client.scans.get({ scan_id: 'y' }, { headers: { 'If-None-Match': 'x' } });
  // @ts-expect-error iteration over an operation that is not a list
  for await (const _ of client.orgs.get()) break;
  // @ts-expect-error a kind that does not exist
  await client.waitForJob({ job_id: 'x', kind: 'odd' });
}

async function callRightly(client: Client, error: unknown): Promise<void> {
  (await client.call('getOrg', { path: { id: 'x' } })) satisfies Schemas['OrgWithRole'] | Schemas['Org'];
  (await client.call('getOpenapiYaml')) satisfies string;
  (await client.call('removeMember', { path: { id: 'x', membership_id: 'y' } })) satisfies undefined;
  (await client.analyze({ org_id: 'x', plan: {} })) satisfies Schemas['AnalyzeResult'];
  (await client.analyze({ org_id: 'x', plan: '', wait: false })) satisfies Schemas['AnalyzeAccepted'];
  for await (const scan of client.paginate('listScans', { path: { id: 'x' } })) scan satisfies Schemas['ScanRun'];
  for await (const user of client.paginate('listUsers')) user.email satisfies string | null;
  const reply = await client.request('getScan', { path: { id: 'x', scan_id: 'y' } });
  if (reply.status === 304) reply.body satisfies undefined;
  else reply.body satisfies Schemas['ScanRunDetail'];
  (await client.orgs.get()) satisfies Schemas['OrgWithRole'] | Schemas['Org'];
  (await client.analyses.submit({ plan_json: '{}' })) satisfies Schemas['AnalyzeAccepted'];
  (await client.auditLog.list({ org_id: 'x', limit: 5 }))[0]?.action satisfies string | undefined;
  (await client.customRules.setEnabled({ rule_id: 'x', enabled: true })) satisfies Schemas['CustomRule'];
  for await (const scan of client.scans.list({ status: 'done' })) scan satisfies Schemas['ScanRun'];
  (await client.waitForJob({ job_id: 'x', kind: 'analyze' })).result satisfies Schemas['AnalyzeResult'];
  (await client.waitForJob({ job_id: 'x', kind: 'fix' })).result satisfies Schemas['FixResult'];
  const job = await client.waitForJob({ job_id: 'x' });
  if (job.kind === 'fix') job.result satisfies Schemas['FixResult'];
  (await verifyWebhook('', new Headers(), '')).org_slug satisfies string;
  if (error instanceof DpaError) error.request_id satisfies string | undefined;
  if (error instanceof DpaApiError) error.request_id satisfies string;
  if (isApiError(error, 'rate_limited')) error.error_class satisfies 'rate_limited';
}

test('a call that breaks the contract does not compile', () => {
  expect([callWrongly, callRightly]).toHaveLength(2);
});
