import { describe, expect, test } from '@jest/globals';
import { findings, judge } from '../judging.ts';

const type = 'vault_policy';
const policy = (...rules: [path: string, ...capabilities: string[]][]) => ({
  policy: rules
    .map(([path, ...names]) => `path "${path}" {\n  capabilities = [${names.map((name) => `"${name}"`).join(', ')}]\n}`)
    .join('\n\n'),
});

describe('a Vault policy', () => {
  test.each<[ReturnType<typeof policy>, string, string]>([
    [policy(['*', 'create', 'read', 'sudo']), 'R-IAM-ADMIN', 'critical'],
    [policy(['*', 'read', 'list']), 'R-IAM-WIDE', 'high'],
    [policy(['sys/*', 'update', 'sudo']), 'R-IAM-WIDE', 'high'],
    [policy(['auth/*', 'create']), 'R-IAM-WIDE', 'high'],
    [policy(['secret/*', 'read']), 'R-IAM-WILDCARD', 'high'],
    [policy(['secret/data/*', 'create', 'update']), 'R-IAM-WILDCARD', 'high'],
  ])('%j is reported when it is new or widened, but not when it is narrowed', (wide, rule, level) => {
    const narrow = policy(['secret/data/app/*', 'read']);
    expect(judge('create', type, { after: wide })).toEqual({ [rule]: level });
    expect(judge('update', type, { before: narrow, after: wide })).toEqual({ [rule]: level });
    expect(judge('update', type, { before: wide, after: narrow })).toEqual({});
    expect(judge('update', type, { before: wide, after: { policy: `# words\n${wide.policy}` } })).toEqual({});
  });

  test.each([
    policy(['secret/data/app/*', 'read']),
    policy(['secret/data/app/config', 'create', 'update']),
    policy(['sys/health', 'read']),
    policy(['auth/token/renew-self', 'update']),
    policy(['*', 'deny']),
  ])('%j gives no reason', (after) => {
    expect(judge('create', type, { after })).toEqual({});
  });

  test('that no longer denies a path is high', () => {
    const before = policy(['secret/data/app/*', 'read'], ['secret/data/app/root', 'deny']);
    const after = policy(['secret/data/app/*', 'read']);
    expect(judge('update', type, { before, after })).toEqual({ 'R-IAM-CONDITION': 'high' });
    expect(judge('update', type, { before: after, after: before })).toEqual({});
  });

  test('that allows less on the same paths strengthens', () => {
    const before = policy(['secret/data/app/*', 'read', 'update']);
    const { change, reasons } = findings('update', type, { before, after: policy(['secret/data/app/*', 'read']) });
    expect(reasons).toEqual([]);
    expect(change.diffs.map(({ direction }) => direction)).toEqual(['strengthening']);
  });

  test('that is unknown until apply is medium', () => {
    expect(judge('create', type, { after: {}, unknown: { policy: true } })).toEqual({ 'R-UNKNOWN-WATCHED': 'medium' });
  });
});
