import { expect, test } from '@jest/globals';
import { compileSignature } from '../../../engine/noise-catalog/signatures.ts';

const isSamePolicy = compileSignature({ is: 'policy' });
const policy = (principal: string, partition: string) =>
  JSON.stringify({
    Statement: [
      { Effect: 'Allow', Principal: { AWS: principal }, Action: 's3:GetObject', Resource: `arn:${partition}:s3:::b/*` },
    ],
  });
const isSame = (before: string, after: string) => isSamePolicy({ before, after } as never, {} as never, {} as never);

test('an account id equals its root ARN only in the partition of the documents', () => {
  const [id, root] = ['123456789012', (partition: string) => `arn:${partition}:iam::123456789012:root`];

  expect(isSame(policy(id, 'aws'), policy(root('aws'), 'aws'))).toBe(true);
  expect(isSame(policy(id, 'aws-cn'), policy(root('aws-cn'), 'aws-cn'))).toBe(true);
  expect(isSame(policy(id, 'aws-cn'), policy(root('aws'), 'aws-cn'))).toBe(false);
});
