import { expect, test } from '@jest/globals';
import { createAnalysis } from '../../../engine/index.ts';

interface Entry {
  actions?: string[];
  before?: object | null;
  after?: object;
  importing?: object;
  before_sensitive?: object;
  type?: string;
  mode?: string;
  provider?: string;
}

function findCandidates(...entries: Entry[]) {
  const resource_changes = entries.map((entry, n) => {
    const {
      actions = ['update'],
      before = null,
      after = { tags: {} },
      type = 'aws_s3_bucket',
      mode = 'managed',
    } = entry;
    const { importing, before_sensitive = {}, provider = 'aws' } = entry;
    const change = { actions, before, after, after_unknown: {}, before_sensitive, importing };
    const provider_name = `registry.terraform.io/hashicorp/${provider}`;
    return { address: `${type}.r${n}`, mode, type, name: `r${n}`, provider_name, change };
  });
  const analysis = createAnalysis();
  analysis.write(Buffer.from(JSON.stringify({ format_version: '1.2', resource_changes })));
  const { changes } = analysis.end();
  return { candidates: analysis.linkCandidates(), changes };
}

test('a change has the IDs that its object had before, each once, the most specific first', () => {
  const { candidates, changes } = findCandidates({
    before: { id: 'logs', arn: 'arn:aws:s3:::logs', self_link: 'logs' },
  });

  expect(candidates).toEqual([
    {
      change_id: changes[0]?.id,
      address: 'aws_s3_bucket.r0',
      previous_address: null,
      action: 'update',
      risk_level: changes[0]?.risk.level,
      type: 'aws_s3_bucket',
      import_id: null,
      ids: ['arn:aws:s3:::logs', 'logs'],
      gone_ids: [],
    },
  ]);
});

test('a creation is left out unless it imports an object', () => {
  const created = { actions: ['create'] };

  expect(findCandidates(created).candidates).toEqual([]);
  expect(findCandidates({ ...created, importing: { id: 'logs' } }).candidates).toMatchObject([
    { import_id: 'logs', ids: [] },
  ]);
});

test.each<[string, Entry]>([
  ['data sources', { mode: 'data', actions: ['read'], before: { id: 'a' } }],
  ['objects outside of clouds', { type: 'random_id', provider: 'random', before: { id: 'a' } }],
])('%s are left out', (_what, entry) => {
  expect(findCandidates(entry).candidates).toEqual([]);
});

test.each<[string, unknown, object]>([
  ['a number', 5, {}],
  ['empty', '', {}],
  ['too long', 'x'.repeat(2_049), {}],
  ['sensitive', 'a-secret-of-the-plan', { id: true }],
])('an ID that is %s is left out', (_what, id, before_sensitive) => {
  expect(findCandidates({ before: { id }, before_sensitive }).candidates).toMatchObject([{ ids: [] }]);
});

test('there are as many candidates as listed changes, however many objects the plan has', () => {
  const entries = Array.from({ length: 2_100 }, (_, n) => ({ before: { id: `bucket-${n}` } }));

  const { candidates, changes } = findCandidates(...entries);

  expect(candidates.map(({ change_id }) => change_id).sort()).toEqual(changes.map(({ id }) => id).sort());
});
