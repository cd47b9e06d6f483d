import { describe, expect, test } from '@jest/globals';
import { LISTED_TYPES } from '../../../server/adapters/cloud/aws/data/listed-types.ts';
import providerTypes from '../../../server/domains/resources/data/provider-types.json' with { type: 'json' };
import { lookUpType } from '../../../server/domains/resources/normalized-type.ts';

const NORMALIZED = [
  'compute',
  'container',
  'serverless',
  'storage',
  'database',
  'network',
  'dns',
  'cdn',
  'security',
  'iam',
  'encryption',
  'messaging',
  'analytics',
  'monitoring',
  'ml',
  'other',
];
const CATEGORIES = ['stateful', 'encryption', 'iam', 'security', 'network', 'other'];

describe('types of clouds', () => {
  test.each([
    ['AWS::S3::Bucket', 'storage', ['stateful']],
    ['AWS::EC2::Instance', 'compute', ['stateful']],
    ['AWS::EC2::SecurityGroup', 'security', ['security', 'network']],
    ['AWS::KMS::Key', 'encryption', ['stateful', 'encryption']],
    ['AWS::CloudFront::Distribution', 'cdn', ['network']],
    ['AWS::SageMaker::Model', 'ml', ['other']],
    ['storage.googleapis.com/Bucket', 'storage', ['stateful', 'security']],
    ['microsoft.storage/storageaccounts', 'storage', ['stateful', 'security']],
    ['Microsoft.Storage/storageAccounts', 'storage', ['stateful', 'security']],
  ])('%s is %s', (type, normalized_type, risk_categories) => {
    expect(lookUpType(type)).toEqual({ normalized_type, risk_categories });
  });

  test('a type that is not in the table is of category other', () => {
    const unknown = { normalized_type: 'other', risk_categories: ['other'] };

    expect(['', 'AWS::EC2', 'AWS::Made::Up', '__proto__', 'constructor/prototype'].map(lookUpType)).toEqual(
      Array(5).fill(unknown),
    );
  });

  test('the table has only known categories, and each type once', () => {
    const names = providerTypes.flatMap(({ types }) =>
      Object.entries(types).flatMap(([service, leaves]) => leaves.split(' ').map((leaf) => `${service} ${leaf}`)),
    );

    expect(providerTypes.filter(({ normalized_type }) => !NORMALIZED.includes(normalized_type))).toEqual([]);
    expect(providerTypes.flatMap((row) => row.risk_categories).filter((one) => !CATEGORIES.includes(one))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('every service of AWS that scans list is in the table', () => {
    const known = new Set(providerTypes.flatMap(({ types }) => Object.keys(types)));
    const services = [...LISTED_TYPES.matchAll(/^ {2}(\w+):/gm)].map(([, service]) => `AWS::${service}`);

    expect(services.filter((service) => !known.has(service))).toEqual([]);
  });
});
