import { describe, expect, test } from '@jest/globals';
import { normalizeChange, normalizeOutput } from '../../../engine/changes/normalize.ts';
import { PlanError } from '../../../engine/plan/errors.ts';
import type { RawChange, RawResourceChange } from '../../../engine/plan/types.ts';

function raw(change: object, members: object = {}): RawResourceChange {
  const entry = { address: 'aws_vpc.main', type: 'aws_vpc', name: 'main', mode: 'managed', ...members };
  return { ...entry, change: { actions: ['update'], before: {}, after: {}, ...change } } as RawResourceChange;
}

describe('normalizeChange', () => {
  test('keeps the members of a resource change', () => {
    const change = normalizeChange(
      raw(
        { actions: ['delete', 'create'], before: { a: 1 }, after: { a: 2 }, replace_paths: [['a']] },
        {
          address: 'module.db.aws_db_instance.main["eu"]',
          module_address: 'module.db',
          type: 'aws_db_instance',
          index: 'eu',
          deposed: 'abcd1234',
          previous_address: 'aws_db_instance.old',
          provider_name: 'registry.terraform.io/hashicorp/aws',
          action_reason: 'replace_because_cannot_update',
        },
      ),
    );

    expect(change).toMatchObject({
      address: 'module.db.aws_db_instance.main["eu"]',
      previous_address: 'aws_db_instance.old',
      module_address: 'module.db',
      mode: 'managed',
      index: 'eu',
      deposed: 'abcd1234',
      provider: 'aws',
      provider_name: 'hashicorp/aws',
      action: 'replace',
      action_label: 'replace (destroy first)',
      action_reason: 'replace_because_cannot_update',
      importing: null,
      object_ids: [],
      diffs: [{ path: 'a', forces_replacement: true }],
    });
  });

  test('sets omitted members to null', () => {
    const change = normalizeChange({ address: 'a.b', type: 'a', name: 'b', change: { actions: ['no-op'] } });

    expect(change).toMatchObject({
      previous_address: null,
      module_address: null,
      index: null,
      deposed: null,
      action_reason: null,
      importing: null,
      before: null,
      after: null,
      replace_paths: [],
      provider: 'a',
    });
  });

  test.each<[object, string]>([
    [{}, 'aws_vpc.main'],
    [{ index: 0 }, 'aws_vpc.main[0]'],
    [{ index: 'a"b', module_address: 'module.net[1]' }, 'module.net[1].aws_vpc.main["a\\"b"]'],
    [{ mode: 'data' }, 'data.aws_vpc.main'],
  ])('builds a missing address from its parts: %j', (members, address) => {
    expect(normalizeChange(raw({}, { ...members, address: undefined })).address).toBe(address);
  });

  test.each(['no-op', 'forget'])('gives a %s no diffs', (action) => {
    expect(normalizeChange(raw({ actions: [action], before: { a: 1 }, after: null })).diffs).toEqual([]);
  });

  test.each<[unknown, { id: string } | null]>([
    [{ id: 'vpc-1' }, { id: 'vpc-1' }],
    [{ identity: { account: '1', name: 'x' } }, { id: 'account=1,name=x' }],
    [{ unknown: true }, { id: '' }],
    [null, null],
    [undefined, null],
  ])('reads importing %j as %j', (importing, expected) => {
    expect(normalizeChange(raw({ importing })).importing).toEqual(expected);
  });

  test.each([
    [{ replace_paths: 'odd', after_unknown: 7, before_sensitive: 'x', after_sensitive: [[true]] }],
    [{ before: 'text', after: [1] }],
    [{ replace_paths: [['a'], 'b', [{}], null] }],
  ])('ignores invalid optional members: %j', (members) => {
    expect(normalizeChange(raw(members)).replace_paths.every((path) => path[0] === 'a')).toBe(true);
  });

  test.each<[unknown, string]>([
    [null, 'not an object'],
    [{ type: 'a', change: { actions: ['create'] } }, 'A resource change has no name'],
    [{ address: 'a.b', name: 'b', change: { actions: ['create'] } }, '"a.b" has no type'],
    [{ address: 'a.b', type: 'a', name: 'b' }, '"a.b" has no member "change"'],
    [{ address: 'a.b', type: 'a', name: 'b', change: { actions: 'create' } }, '"a.b" has no list of actions'],
    [{ address: 'a.b', type: 'a', name: 'b', change: { actions: [] } }, '"a.b" has no list of actions'],
    [{ address: 'a.b', type: 'a', name: 'b', change: { actions: [1] } }, '"a.b" has no list of actions'],
  ])('rejects %j with a message that names the error', (entry, message) => {
    expect(() => normalizeChange(entry as RawResourceChange)).toThrow(PlanError);
    expect(() => normalizeChange(entry as RawResourceChange)).toThrow(message);
  });

  test.each<[string | undefined, string, string]>([
    ['registry.terraform.io/hashicorp/aws', 'aws', 'hashicorp/aws'],
    ['registry.opentofu.org/hashicorp/google-beta', 'gcp', 'hashicorp/google-beta'],
    ['registry.terraform.io/hashicorp/google', 'gcp', 'hashicorp/google'],
    ['registry.terraform.io/azure/azapi', 'azure', 'azure/azapi'],
    ['registry.terraform.io/hashicorp/azuread', 'azure', 'hashicorp/azuread'],
    ['terraform.example.com/acme/azurerm', 'azure', 'acme/azurerm'],
    ['terraform.io/builtin/terraform', 'terraform', 'builtin/terraform'],
    ['registry.terraform.io/hashicorp/kubernetes', 'kubernetes', 'hashicorp/kubernetes'],
    ['aws', 'aws', 'aws'],
    ['null.aliased', 'null', 'null'],
    [undefined, 'aws', 'aws'],
  ])('reads the provider %s as %s', (provider_name, provider, source) => {
    expect(normalizeChange(raw({}, { provider_name }))).toMatchObject({ provider, provider_name: source });
  });
});

describe('normalizeOutput', () => {
  test.each<[Partial<RawChange>, object]>([
    [
      { before: 1, after: 2 },
      { before: 1, after: 2, sensitive: false, after_unknown: false },
    ],
    [
      { before: null, after_unknown: true },
      { before: null, after: null, after_unknown: true },
    ],
    [
      { after: { a: 1 }, after_unknown: { b: true } },
      { after: { a: 1 }, after_unknown: true },
    ],
    [{ before_sensitive: true, after_sensitive: false }, { sensitive: true }],
    [{ after_sensitive: { a: [true] } }, { sensitive: true }],
  ])('normalizes %j', (change, expected) => {
    expect(normalizeOutput('url', { actions: ['update'], ...change })).toMatchObject({
      name: 'url',
      action: 'update',
      ...expected,
    });
  });

  test('rejects an output without actions with its name', () => {
    expect(() => normalizeOutput('url', {} as RawChange)).toThrow('Output "url" has no list of actions.');
  });
});
