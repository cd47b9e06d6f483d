import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { judgePlan, type PlannedResource, unchanged } from '../plans.ts';

const gone = (type: string, side: JsonObject): PlannedResource => [type, side, null];
const writer = 'serviceAccount:p9-1@gcp-sa-logging.iam.gserviceaccount.com';
const agent = 'serviceAccount:service-9@gcp-sa-pubsub.iam.gserviceaccount.com';
const key = 'projects/p/locations/eu/keyRings/r/cryptoKeys/k';
const code = 'arn:aws:lambda:eu-west-1:111122223333:function:thumbs';
const grant = (member: string): JsonObject => ({ bucket: 'logs', role: 'roles/storage.objectCreator', member });
const sink = unchanged('google_logging_folder_sink', { name: 's', writer_identity: writer });
const permission: JsonObject = {
  function_name: 'thumbs',
  principal: 's3.amazonaws.com',
  action: 'lambda:InvokeFunction',
};
const notification = unchanged('aws_s3_bucket_notification', {
  bucket: 'b',
  lambda_function: [{ lambda_function_arn: code, events: ['s3:ObjectCreated:*'] }],
});
const link: JsonObject = { subnet_id: '/vnet/x/subnets/app', route_table_id: '/rt/forced' };
const table = (next_hop_type: string) =>
  unchanged('azurerm_route_table', { name: 'forced', route: [{ address_prefix: '0.0.0.0/0', next_hop_type }] });
const app: JsonObject = { name: 'shop', default_hostname: 'shop-7.azurewebsites.net' };
const record: JsonObject = { name: 'shop', zone_name: 'example.org', record: 'shop-7.azurewebsites.net' };

describe('a resource that stays', () => {
  test.each<[string, PlannedResource[]]>([
    ['a log sink needs the grant of its writer', [gone('google_storage_bucket_iam_member', grant(writer)), sink]],
    [
      'a topic needs the grant of its agent on the key',
      [
        gone('google_kms_crypto_key_iam_member', {
          crypto_key_id: key,
          role: 'roles/cloudkms.cryptoKeyEncrypterDecrypter',
          member: agent,
        }),
        unchanged('google_pubsub_topic', { name: 't', kms_key_name: key }),
      ],
    ],
    [
      'a sink needs its writer among the members of a binding',
      [
        [
          'google_pubsub_topic_iam_binding',
          { topic: 't', role: 'roles/pubsub.publisher', members: [writer, 'user:a@example.org'] },
          { topic: 't', role: 'roles/pubsub.publisher', members: ['user:a@example.org'] },
        ],
        sink,
      ],
    ],
    ['a notification needs the permission to call', [gone('aws_lambda_permission', permission), notification]],
    [
      'a subnet needs its forced route',
      [gone('azurerm_subnet_route_table_association', link), table('VirtualAppliance')],
    ],
    [
      'an alarm needs its topic',
      [
        gone('aws_sns_topic', { name: 'oncall', arn: 'arn:aws:sns:eu-west-1:111122223333:oncall' }),
        unchanged('aws_cloudwatch_metric_alarm', {
          alarm_name: 'a',
          alarm_actions: ['arn:aws:sns:eu-west-1:111122223333:oncall'],
        }),
      ],
    ],
    ['a record needs its host', [gone('azurerm_linux_web_app', app), unchanged('azurerm_dns_cname_record', record)]],
    [
      'a function needs the policy of its role',
      [
        gone('aws_iam_role_policy_attachment', {
          role: 'thumbs-role',
          policy_arn: 'arn:aws:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole',
        }),
        unchanged('aws_lambda_function', {
          function_name: 'thumbs',
          role: 'arn:aws:iam::111122223333:role/thumbs-role',
        }),
      ],
    ],
  ])('%s: high', (_, resources) => {
    const { level, rules } = judgePlan(resources);
    expect(rules).toContain('R-REL-NEED');
    expect(level).toBe('high');
  });

  test.each<[string, PlannedResource[]]>([
    ['another member loses the grant', [gone('google_storage_bucket_iam_member', grant('user:a@example.org')), sink]],
    [
      'a binding replaces the grant',
      [
        gone('google_storage_bucket_iam_member', grant(writer)),
        sink,
        [
          'google_storage_bucket_iam_binding',
          null,
          { bucket: 'logs', role: 'roles/storage.objectCreator', members: [writer] },
        ],
      ],
    ],
    [
      'the sink goes, too',
      [
        gone('google_storage_bucket_iam_member', grant(writer)),
        gone('google_logging_folder_sink', { name: 's', writer_identity: writer }),
      ],
    ],
    [
      'the permission is given again',
      [
        gone('aws_lambda_permission', permission),
        notification,
        ['aws_lambda_permission', null, { ...permission, statement_id: 'again' }],
      ],
    ],
    ['the route table forces nothing', [gone('azurerm_subnet_route_table_association', link), table('Internet')]],
    [
      'the subnet goes, too',
      [
        gone('azurerm_subnet_route_table_association', link),
        table('VirtualAppliance'),
        gone('azurerm_subnet', { id: '/vnet/x/subnets/app', name: 'app' }),
      ],
    ],
    ['the record goes, too', [gone('azurerm_linux_web_app', app), gone('azurerm_dns_cname_record', record)]],
  ])('needs nothing when %s', (_, resources) => {
    expect(judgePlan(resources).rules).not.toContain('R-REL-NEED');
  });
});
