import { describe, expect, test } from '@jest/globals';
import type { JsonObject, RiskLevel } from '../../../engine/model/result.ts';
import { judgeAlone, makeChange } from './helpers.ts';

type Sides = [before: JsonObject | null, after: JsonObject];

function rate(type: string, actions: string, sides: Sides): RiskLevel {
  return judgeAlone(makeChange(type, actions, sides)).level;
}

describe('a new object of a known type', () => {
  const role = (rule: JsonObject) => ({ metadata: [{ name: 'a' }], rule: [{ api_groups: [''], ...rule }] });

  test.each<[type: string, after: JsonObject, level: RiskLevel]>([
    ['kubernetes_role_v1', role({ resources: ['pods', 'services'], verbs: ['get', 'list'] }), 'low'],
    ['kubernetes_role_v1', role({ resources: ['configmaps'], resource_names: ['a'], verbs: ['get', 'update'] }), 'low'],
    ['kubernetes_role_v1', role({ resources: ['configmaps'], verbs: ['get', 'update'] }), 'medium'],
    ['kubernetes_role_v1', role({ resources: ['secrets'], verbs: ['get'] }), 'medium'],
    ['kubernetes_role_v1', role({ resources: ['pods/exec'], verbs: ['get'] }), 'medium'],
    ['aws_autoscaling_schedule', { min_size: 0, max_size: 0, desired_capacity: 0 }, 'high'],
    ['aws_autoscaling_schedule', { min_size: 4, max_size: -1, desired_capacity: -1 }, 'low'],
    ['aws_lb_listener_rule', { priority: 1, condition: [{ host_header: [{ values: ['*'] }] }] }, 'high'],
    ['aws_lb_listener_rule', { priority: 1, condition: [{ host_header: [{ values: ['a.example'] }] }] }, 'low'],
    ['aws_lb_listener_rule', { priority: 900, condition: [{ host_header: [{ values: ['*'] }] }] }, 'low'],
    ['google_scc_mute_config', { filter: 'severity="CRITICAL"' }, 'high'],
    ['pagerduty_event_orchestration_global', { catch_all: [{ actions: [{ suppress: true }] }] }, 'high'],
  ])('%s with %j is %s', (type, after, level) => {
    expect(rate(type, 'create', [null, after])).toBe(level);
  });
});

describe('a grant on all objects of one kind', () => {
  const policy = (Action: string, Resource: string, Condition?: JsonObject) =>
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action, Resource, ...(Condition && { Condition }) }],
    });

  test.each([
    [policy('iam:PassRole', 'arn:aws:iam::111122223333:role/*'), 'high'],
    [
      policy('iam:PassRole', 'arn:aws:iam::111122223333:role/*', {
        StringEquals: { 'iam:PassedToService': 'glue.amazonaws.com' },
      }),
      'high',
    ],
    [policy('iam:PassRole', 'arn:aws:iam::111122223333:role/glue-sales'), 'medium'],
    [policy('secretsmanager:GetSecretValue', 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:*'), 'high'],
    [policy('ec2:ModifySnapshotAttribute', '*'), 'high'],
    [policy('ssm:SendCommand', '*'), 'high'],
    [policy('dynamodb:PutItem', 'arn:aws:dynamodb:eu-central-1:111122223333:table/*'), 'medium'],
  ])('%s is %s', (after, level) => {
    expect(
      rate('aws_iam_role_policy', 'update', [{ policy: policy('s3:ListBucket', 'arn:aws:s3:::a') }, { policy: after }]),
    ).toBe(level);
  });
});

describe('a routine replacement', () => {
  const names = (...subject_alternative_names: string[]) => ({ domain_name: 'a.example', subject_alternative_names });

  test('of a certificate is low if the new one is made first and has all names', () => {
    expect(rate('aws_acm_certificate', 'create,delete', [names('a.example'), names('a.example', 'b.example')])).toBe(
      'low',
    );
    expect(
      rate('aws_acm_certificate', 'create,delete', [names('a.example', 'b.example'), names('a.example')]),
    ).not.toBe('low');
    expect(
      rate('aws_acm_certificate', 'delete,create', [names('a.example'), names('a.example', 'b.example')]),
    ).not.toBe('low');
  });

  test('of a marker is low, but not its end', () => {
    expect(rate('terraform_data', 'delete,create', [{ triggers_replace: 'r1' }, { triggers_replace: 'r2' }])).toBe(
      'low',
    );
  });
});

describe('an update of a known type', () => {
  test.each<[type: string, before: JsonObject, after: JsonObject, level: RiskLevel]>([
    ['azurerm_route', hop('10.120.0.4'), hop('10.120.0.5'), 'medium'],
    ['azurerm_route', hop('10.120.0.4'), hop('10.9.0.5'), 'high'],
    ['azurerm_key_vault_secret', { value: 'x', content_type: '' }, { value: 'x', content_type: 'text/plain' }, 'low'],
    ['snowflake_row_access_policy', { body: 'region = my_region()' }, { body: 'true' }, 'critical'],
    ['fastly_service_vcl', vcl('return(pass);'), vcl('return(lookup);'), 'high'],
    ['kubernetes_ingress_v1', ranges('10.0.0.0/8'), ranges('10.0.0.0/0'), 'high'],
    ['grafana_mute_timing', muted('saturday', 'sunday'), muted('sunday:saturday'), 'high'],
  ])('%s from %j to %j is %s', (type, before, after, level) => {
    expect(rate(type, 'update', [before, after])).toBe(level);
  });

  function hop(next_hop_in_ip_address: string): JsonObject {
    return { address_prefix: '0.0.0.0/0', next_hop_type: 'VirtualAppliance', next_hop_in_ip_address };
  }

  function vcl(end: string): JsonObject {
    return { snippet: [{ name: 'a', type: 'recv', content: `if (req.url ~ "^/account") { ${end} }` }] };
  }

  function ranges(allowed: string): JsonObject {
    return {
      metadata: [{ name: 'a', annotations: { 'nginx.ingress.kubernetes.io/whitelist-source-range': allowed } }],
    };
  }

  function muted(...weekdays: string[]): JsonObject {
    return { intervals: [{ weekdays }] };
  }
});
