import { describe, expect, test } from '@jest/globals';
import type { AttributeDiff, JsonObject } from '../../../engine/model/result.ts';
import { classifyNoise } from '../../../engine/noise/classify.ts';
import { isWatched } from '../../../engine/risk/attributes/index.ts';
import { aDiff, anUpdate } from '../noise/builders.ts';

const STATEMENT = { Effect: 'Allow', Action: ['kms:Decrypt', 'kms:Encrypt'], Principal: { AWS: '111122223333' } };
const RESPELLED = {
  Principal: { AWS: ['arn:aws:iam::111122223333:root'] },
  Action: ['kms:encrypt', 'kms:decrypt'],
  Effect: 'Allow',
};

function classify(type: string, diff: AttributeDiff) {
  return classifyNoise(anUpdate(type, [diff]), {}).classification;
}

function policy(statement: JsonObject): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
}

describe('a change of a watched path', () => {
  test.each([
    ['aws_kms_key', 'policy'],
    ['aws_s3_bucket_policy', 'policy'],
    ['aws_iam_role', 'assume_role_policy'],
    ['aws_sqs_queue_policy', 'policy'],
    ['aws_organizations_policy', 'content'],
  ])('%s.%s is noise if only the format of its document changes', (type, path) => {
    expect(isWatched(type, [path])).toBe(true);
    expect(classify(type, aDiff(path, policy(STATEMENT), policy(RESPELLED)))).not.toBe('novel');
    expect(classify(type, aDiff(path, policy(STATEMENT), policy({ ...RESPELLED, Action: 'kms:*' })))).toBe('novel');
    expect(classify(type, aDiff(path, policy(STATEMENT), policy({ ...RESPELLED, Principal: '*' })))).toBe('novel');
  });

  test('of Google is noise if the same members have the same roles', () => {
    const binding = (...members: string[]) => ({ role: 'roles/owner', members });
    const data = (...bindings: JsonObject[]) => JSON.stringify({ bindings });
    const before = data(binding('user:a', 'user:b'));

    const verdict = (after: string) => classify('google_project_iam_policy', aDiff('policy_data', before, after));

    expect(isWatched('google_project_iam_policy', ['policy_data'])).toBe(true);
    expect(verdict(data(binding('user:b'), binding('user:a')))).toBe('likely_benign');
    expect(verdict(data(binding('user:b'), binding('allUsers')))).toBe('novel');
  });

  test('of an Azure role is noise if only the order of its actions changes', () => {
    const path = ['permissions', 0, 'actions'];
    const diff = aDiff(path, ['a/read', 'b/read'], ['b/read', 'a/read'], { op: 'reorder' });

    expect(isWatched('azurerm_role_definition', path)).toBe(true);
    expect(classify('azurerm_role_definition', diff)).toBe('likely_benign');
  });

  test('that forces a replacement is novel in any case', () => {
    const diff = aDiff('policy', policy(STATEMENT), policy(RESPELLED), { forces_replacement: true });

    expect(classify('aws_kms_key', diff)).toBe('novel');
  });

  test('is not proven by similar case or whitespace', () => {
    expect(classify('aws_kms_key', aDiff('policy', null, ''))).toBe('likely_benign');
    expect(classify('aws_kms_key', aDiff('policy', 'A', 'a'))).toBe('novel');
    expect(classify('aws_kms_key', aDiff('policy', 'a b', 'a  b'))).toBe('novel');
  });
});
