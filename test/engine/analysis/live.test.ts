import { describe, expect, test } from '@jest/globals';
import { changeId } from '../../../engine/analysis/change-id.ts';
import {
  type AnalyzeOptions,
  analyzePlan,
  type Change,
  createAnalysis,
  type KnownLive,
  type LiveExposure,
  renderText,
} from '../../../engine/index.ts';
import type { JsonObject, JsonValue } from '../../../engine/model/result.ts';
import { compileRules } from '../../../engine/rules/index.ts';

const AS_OF = '2026-05-10T12:00:00.000Z';
const GROUP = 'aws_security_group.web';
const QUEUE = 'aws_sqs_queue.jobs';

interface Entry {
  address: string;
  before: JsonObject | null;
  after: JsonObject | null;
  actions?: string[];
}

function buildPlan(entries: readonly Entry[], resource_drift: readonly Entry[] = []): string {
  const toRaw = ({ address, before, after, actions }: Entry) => {
    const [type = '', name = ''] = address.split('.');
    const action = before === null ? 'create' : after === null ? 'delete' : 'update';
    const change = { actions: actions ?? [action], before, after, after_unknown: {} };
    return { address, mode: 'managed', type, name, provider_name: 'registry.terraform.io/hashicorp/aws', change };
  };
  const resource_changes = entries.map(toRaw);
  return JSON.stringify({ format_version: '1.2', resource_changes, resource_drift: resource_drift.map(toRaw) });
}

function analyze(plan: string, live: Record<string, Partial<KnownLive>>, options: AnalyzeOptions = {}) {
  const known = Object.entries(live).map(([address, facts]): [string, KnownLive] => [
    changeId({ address, deposed: null }),
    { as_of: AS_OF, drift: null, exposure: null, ...facts },
  ]);
  return analyzePlan(plan, { ...options, live: new Map(known) });
}

const anExposure = (more: Partial<LiveExposure> = {}): LiveExposure => ({
  rule_id: 'R-NET-OPEN',
  message: 'Anyone on the internet can reach port 22.',
  group_id: null,
  seen_at: '2026-05-10T10:00:00.000Z',
  later_scan_failed: false,
  ...more,
});

const aDrift = (more: Partial<NonNullable<KnownLive['drift']>> = {}): NonNullable<KnownLive['drift']> => ({
  drift_item_id: '019b7a10-0000-7000-8000-000000000001',
  scan_run_id: '019b7a10-0000-7000-8000-000000000002',
  drift_type: 'changed',
  certainty: 'confirmed',
  first_detected_at: '2026-05-07T11:00:00.000Z',
  scanned_at: '2026-05-10T11:00:00.000Z',
  later_scan_failed: false,
  paths: ['delay_seconds'],
  paths_total: 1,
  attributes: [aDiff('delay_seconds', 5, 90)],
  ...more,
});

const aDiff = (path: string, before: JsonValue, after: JsonValue) => ({
  ...{ path, path_segments: [path], op: 'update' as const, before, after },
  ...{ before_sensitive: false, after_sensitive: false, after_unknown: false, forces_replacement: false },
  ...{ direction: 'neutral' as const, noise: 'novel' as const, truncated: false },
});

const missing = (more: Partial<NonNullable<KnownLive['drift']>> = {}) =>
  aDrift({ drift_type: 'missing', paths: [], paths_total: 0, attributes: [], ...more });

const rules = (ports: number[]) =>
  ports.map((port) => ({ from_port: port, to_port: port, protocol: 'tcp', cidr_blocks: ['0.0.0.0/0'] }));
/** A plan that opens a second port, which is of level high by itself. */
const opening = buildPlan([
  { address: GROUP, before: { id: 'sg-1', ingress: rules([22]) }, after: { id: 'sg-1', ingress: rules([22, 8080]) } },
]);
const first = ({ changes }: { changes: Change[] }) => changes[0] as Change;
const ruleIds = (change: Change) => change.risk.reasons.map(({ rule_id }) => rule_id);

describe('a weakening of a resource that is public already', () => {
  test('counts one level more, with the age of the observation as its reason', () => {
    const plain = first(analyze(opening, {}));
    const raised = first(analyze(opening, { [GROUP]: { exposure: anExposure() } }));

    expect([plain.risk.level, raised.risk.level]).toEqual(['high', 'critical']);
    expect(raised.risk.reasons[0]).toMatchObject({
      rule_id: 'R-EXP-LIVE',
      kind: 'exposure',
      level: 'critical',
      path: plain.risk.reasons.find(({ kind }) => kind === 'attribute')?.path,
      message:
        'Public right now (seen 2 hours ago), so the weakened protection counts one level more. Anyone on the internet can reach port 22.',
    });
    expect(raised.risk.guarded).toBe(true);
  });

  test('names the open security group that the resource is in', () => {
    const [reason] = first(analyze(opening, { [GROUP]: { exposure: anExposure({ group_id: 'sg-9' }) } })).risk.reasons;

    expect(reason?.message).toMatch(/^In the security group sg-9, which is open to the internet \(seen 2 hours ago\),/);
  });

  test('is still raised by what was seen some days ago, in the past tense', () => {
    const seen_at = '2026-05-06T11:00:00.000Z';
    const [reason] = first(analyze(opening, { [GROUP]: { exposure: anExposure({ seen_at }) } })).risk.reasons;

    expect(reason?.message).toMatch(/^Public when last seen \(4 days ago\),/);
  });

  test('says that the last scan failed', () => {
    const exposure = anExposure({ later_scan_failed: true });
    const [reason] = first(analyze(opening, { [GROUP]: { exposure } })).risk.reasons;

    expect(reason?.message).toMatch(/^Public when last seen \(2 hours ago; the last scan failed\),/);
  });

  test('is not raised by what was seen more than a week ago, which is only shown', () => {
    const analysis = analyze(opening, { [GROUP]: { exposure: anExposure({ seen_at: '2026-05-01T12:00:00.000Z' }) } });

    expect(ruleIds(first(analysis))).not.toContain('R-EXP-LIVE');
    expect(analysis.narrative).toContain('public when last seen (9 days ago)');
  });

  test('is not raised if the organization has turned the rule off', () => {
    const NOTHING = {
      noise_rules: [],
      risk_rules: [],
      suppressions: [],
      owners: [],
      policy: { version: 0, rules: [] },
    };
    const disabled = { noise: [], risk: ['R-EXP-LIVE'] };
    const book = compileRules({ ...NOTHING, disabled }, { repo: null, branch: null, now: new Date(AS_OF) });

    expect(ruleIds(first(analyze(opening, { [GROUP]: { exposure: anExposure() } }, { book })))).not.toContain(
      'R-EXP-LIVE',
    );
  });
});

test('a change that weakens nothing keeps its level, and says that its resource is public', () => {
  const closing = buildPlan([
    { address: GROUP, before: { id: 'sg-1', ingress: rules([22]) }, after: { id: 'sg-1', ingress: [] } },
  ]);
  const plain = first(analyze(closing, {}));
  const analysis = analyze(closing, { [GROUP]: { exposure: anExposure() } });

  expect(first(analysis).risk.level).toBe(plain.risk.level);
  expect(ruleIds(first(analysis))).not.toContain('R-EXP-LIVE');
  expect(renderText(analysis, { color: false, top: 10 })).toContain('aws_security_group.web: public right now');
});

test('the same facts give the same result, and are kept in it', () => {
  const live = { [GROUP]: { exposure: anExposure(), drift: aDrift() } };

  expect(analyze(opening, live)).toEqual(analyze(opening, live));
  expect(first(analyze(opening, live)).live).toEqual({
    as_of: AS_OF,
    exposure: anExposure(),
    drift: (({ attributes: _, ...facts }) => facts)(aDrift()),
  });
  expect(first(analyze(opening, {}))).not.toHaveProperty('live');
});

describe('drift that a scan found', () => {
  const reverting = buildPlan([
    { address: QUEUE, before: { id: 'q', delay_seconds: 90 }, after: { id: 'q', delay_seconds: 5 } },
  ]);

  test('is reverted if the plan starts from the value of the cloud', () => {
    const analysis = analyze(reverting, { [QUEUE]: { drift: aDrift() } });

    expect(first(analysis).reverts_drift).toEqual({ kind: 'revert', paths: ['delay_seconds'], paths_total: 1 });
    expect(analysis.narrative).toContain(
      'This apply reverts a change made outside of IaC (first seen 3 days ago): `aws_sqs_queue.jobs` (`delay_seconds`).',
    );
  });

  test('adds only its age to a reversal that the plan shows itself', () => {
    const drifted = { address: QUEUE, before: { id: 'q', delay_seconds: 5 }, after: { id: 'q', delay_seconds: 90 } };
    const entry = { address: QUEUE, before: { id: 'q', delay_seconds: 90 }, after: { id: 'q', delay_seconds: 5 } };
    const { narrative } = analyze(buildPlan([entry], [drifted]), { [QUEUE]: { drift: aDrift() } });

    expect(narrative.match(/This apply reverts/g)).toHaveLength(1);
    expect(narrative).toContain('outside of IaC (first seen 3 days ago)');
  });

  test('is not called reverted if somebody has reverted it since, or the plan was made without a refresh', () => {
    const other = buildPlan([
      { address: QUEUE, before: { id: 'q', delay_seconds: 5 }, after: { id: 'q', delay_seconds: 7 } },
    ]);
    const analysis = analyze(other, { [QUEUE]: { drift: aDrift() } });

    expect(first(analysis).reverts_drift).toBeNull();
    expect(renderText(analysis, { color: false, top: 10 }).replace(/\s+/g, ' ')).toContain(
      'Changes delay_seconds; changed outside of IaC (first seen 3 days ago) delay_seconds',
    );
  });

  test('does not compare values that are withheld', () => {
    const attributes = [{ ...aDiff('delay_seconds', null, null), before_sensitive: true, after_sensitive: true }];
    const plan = buildPlan([{ address: QUEUE, before: { id: 'q' }, after: { id: 'q', delay_seconds: 7 } }]);

    expect(first(analyze(plan, { [QUEUE]: { drift: aDrift({ attributes }) } })).reverts_drift).toBeNull();
  });

  test('says how old it is if no scan has looked lately, or the last one failed', () => {
    const old = aDrift({ scanned_at: '2026-05-08T11:00:00.000Z' });
    const narrative = (drift: KnownLive['drift']) => analyze(reverting, { [QUEUE]: { drift } }).narrative;

    expect(narrative(old)).toContain('(first seen 3 days ago; the last scan was 2 days ago)');
    expect(narrative({ ...old, later_scan_failed: true })).toContain(
      '(first seen 3 days ago; the scan is from 2 days ago and the next one failed)',
    );
  });
});

describe('a resource that a scan did not find', () => {
  const deleting = buildPlan([{ address: QUEUE, before: { id: 'q' }, after: null }]);
  const narrative = (drift: KnownLive['drift'], plan = deleting) => analyze(plan, { [QUEUE]: { drift } }).narrative;

  test('is already gone if the change deletes or updates it', () => {
    const updating = buildPlan([{ address: QUEUE, before: { id: 'q' }, after: { id: 'q', delay_seconds: 7 } }]);
    const line = 'In the cloud: `aws_sqs_queue.jobs` already gone in the cloud (first seen missing 3 days ago).';

    expect(narrative(missing())).toContain(line);
    expect(narrative(missing(), updating)).toContain(line);
  });

  test('is only possibly gone after a single read, an old scan or a failed one', () => {
    const unsure = [
      missing({ certainty: 'potential' }),
      missing({ scanned_at: '2026-05-08T11:00:00.000Z' }),
      missing({ later_scan_failed: true }),
    ];

    for (const drift of unsure) expect(narrative(drift)).toContain('`aws_sqs_queue.jobs` possibly gone in the cloud');
  });

  test('is created again by a creation, which says since when it is gone', () => {
    const creating = buildPlan(
      [{ address: QUEUE, before: null, after: { delay_seconds: 7 } }],
      [{ address: QUEUE, before: { id: 'q' }, after: null }],
    );

    expect(narrative(missing(), creating)).toContain(
      'recreates a resource deleted outside of IaC (first seen 3 days ago)',
    );
    expect(narrative(missing(), creating)).not.toContain('already gone');
  });
});

test('a sensitive value of the plan is removed from what scans say', () => {
  const change = {
    actions: ['update'],
    ...{ before: { id: 'q', kms: 'hunter-2-key' }, after: { id: 'q', kms: 'hunter-2-key', delay_seconds: 7 } },
    ...{ before_sensitive: { kms: true }, after_sensitive: { kms: true }, after_unknown: {} },
  };
  const entry = { address: QUEUE, mode: 'managed', type: 'aws_sqs_queue', name: 'jobs', change };
  const plan = JSON.stringify({ format_version: '1.2', resource_changes: [entry] });
  const exposure = anExposure({ message: 'The key hunter-2-key is public.' });
  const drift = aDrift({ paths: ['tags.hunter-2-key'] });

  expect(JSON.stringify(analyze(plan, { [QUEUE]: { exposure, drift } }))).not.toContain('hunter-2-key');
});

test('a creation whose object is gone has the IDs that the object had', () => {
  const analysis = createAnalysis({ listNames: (type, { name }) => [`${type}/${String(name)}`] });
  const plan = buildPlan(
    [
      { address: QUEUE, before: null, after: { name: 'jobs' } },
      { address: 'aws_sqs_queue.other', before: { id: 'o', name: 'other' }, after: null },
    ],
    [{ address: QUEUE, before: { id: 'q', arn: 'arn:q' }, after: null }],
  );
  analysis.write(Buffer.from(plan));
  analysis.end();

  const found = Object.fromEntries(analysis.linkCandidates().map((one) => [one.address, [one.ids, one.gone_ids]]));
  expect(found).toEqual({ [QUEUE]: [[], ['arn:q', 'q']], 'aws_sqs_queue.other': [['aws_sqs_queue/other', 'o'], []] });
});
