import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { judgePlan, type PlannedResource, unchanged } from '../plans.ts';

const flags = (value: boolean) => ({
  block_public_acls: value,
  block_public_policy: value,
  ignore_public_acls: value,
  restrict_public_buckets: value,
});
const block: PlannedResource = ['aws_s3_bucket_public_access_block', { bucket: 'b', ...flags(true) }, null];
const account = (value: boolean) =>
  unchanged('aws_s3_account_public_access_block', { account_id: '1', ...flags(value) });
const host: PlannedResource = ['azurerm_linux_web_app', { name: 'h', default_hostname: 'h.azurewebsites.net' }, null];
const record: JsonObject = { name: 'h', record: 'h.azurewebsites.net' };
const writer = 'serviceAccount:p-1@gcp-sa-logging.iam.gserviceaccount.com';
const sink = (bucket: string): JsonObject => ({
  name: 's',
  destination: `storage.googleapis.com/${bucket}`,
  writer_identity: writer,
});
const bucket = (age: number) =>
  unchanged('google_storage_bucket', {
    name: 'new-logs',
    lifecycle_rule: [{ action: [{ type: 'Delete' }], condition: [{ age }] }],
  });
const grant = unchanged('google_storage_bucket_iam_member', { bucket: 'new-logs', role: 'r', member: writer });
const moved: PlannedResource = ['google_logging_project_sink', sink('old-logs'), sink('new-logs')];

describe('what the plan shows to make a change harmless', () => {
  test.each<[string, PlannedResource[], PlannedResource[]]>([
    ['a block of public access for the account', [block, account(true)], [block, account(false)]],
    [
      'records that are deleted with their host',
      [host, ['cloudflare_record', { ...record, content: 'h.azurewebsites.net' }, null]],
      [host, unchanged('azurerm_dns_cname_record', record)],
    ],
    ['a bucket that keeps the logs', [moved, bucket(3650), grant], [moved, bucket(2), grant]],
  ])('%s lowers the level by one step', (_, shielded, bare) => {
    expect(judgePlan(shielded).rules).toContain('R-ACT-SHIELD');
    expect(judgePlan(bare).rules).not.toContain('R-ACT-SHIELD');
  });

  test('a block for the account that the plan lifts, too, lowers nothing', () => {
    const lifted: PlannedResource = ['aws_s3_account_public_access_block', flags(true), flags(false)];
    expect(judgePlan([block, lifted]).rules).not.toContain('R-ACT-SHIELD');
  });
});
