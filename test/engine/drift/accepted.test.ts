import { describe, expect, test } from '@jest/globals';
import type { LiveResource } from '../../../engine/drift/index.ts';
import { NO_RULES, type RuleBook } from '../../../engine/model/rule-book.ts';
import { AZURE, compute, live, reading } from './compute.ts';

const QUEUE = 'https://sqs.eu-west-1.amazonaws.com/210987654321/jobs';
const HELD = {
  type: 'aws_sqs_queue',
  attributes: { id: QUEUE, url: QUEUE, name: 'jobs', visibility_timeout_seconds: 30 },
};

function queue(more: Partial<LiveResource> = {}): LiveResource {
  return live('AWS::SQS::Queue', QUEUE, {
    properties: { QueueUrl: QUEUE, QueueName: 'jobs', VisibilityTimeout: 60 },
    ...more,
  });
}

/** A book that suppresses every pattern at one address. */
function suppressing(address: string): RuleBook {
  return {
    ...NO_RULES,
    hasSuppressions: (at) => at === address,
    suppression: (_, at) => (at === address ? 'sup-1' : null),
  };
}

const noise_key = new Uint8Array(32);

describe('a suppression of noise', () => {
  test('accepts a changed item at its address, which is still listed and counted as changed', () => {
    const book = suppressing('aws_sqs_queue.this');

    const report = compute(reading('AWS::SQS::Queue'), [HELD], [queue()], { book, noise_key });

    expect(report).toMatchObject({ changed_count: 1, ignored_count: 1, risk_level: 'none', drift_status: 'in_sync' });
    expect(report.items).toMatchObject([{ suppression_id: 'sup-1', ignore_rule_id: null }]);
  });

  test('accepts nothing at another address', () => {
    const book = suppressing('aws_sqs_queue.other');

    const report = compute(reading('AWS::SQS::Queue'), [HELD], [queue()], { book, noise_key });

    expect(report).toMatchObject({ ignored_count: 0, drift_status: 'drifted' });
    expect(report.items).toMatchObject([{ suppression_id: null }]);
  });

  test('does not accept a resource that is gone', () => {
    const book = suppressing('aws_sqs_queue.this');

    const report = compute(reading('AWS::SQS::Queue'), [HELD], [], { book, noise_key });

    expect(report.items).toMatchObject([{ drift_type: 'missing', suppression_id: null }]);
  });

  test('does not hide an opened port', () => {
    const open = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, CidrIp: '0.0.0.0/0' };
    const group = live('AWS::EC2::SecurityGroup', 'sg-1', {
      properties: { GroupId: 'sg-1', SecurityGroupIngress: [open] },
    });
    const held = { type: 'aws_security_group', attributes: { id: 'sg-1', name: 'web', ingress: [] } };
    const book = suppressing('aws_security_group.this');

    const report = compute(reading('AWS::EC2::SecurityGroup'), [held], [group], { book, noise_key });

    expect(report.risk_level).not.toBe('none');
    expect(report.items).toMatchObject([{ suppression_id: null }]);
  });
});

describe('who changed a resource', () => {
  const readActor = (more: Partial<LiveResource>) =>
    compute(reading('AWS::SQS::Queue'), [HELD], [queue(more)]).items[0]?.actor;

  test('is not known without a record or a tag', () => {
    expect(readActor({ tags: { team: 'core' } })).toBeNull();
  });

  test.each([['CreatedBy'], ['created_by'], ['created-by'], ['aws:createdBy'], ['Creator']])(
    'is read from the tag %s',
    (key) => {
      expect(readActor({ tags: { [key]: 'ana@example.com' } })).toEqual({
        ...{ name: 'ana@example.com', action: 'created', at: null, source: 'tag' },
      });
    },
  );

  test('is who modified it last, for a changed resource, and the record of the cloud before a tag', () => {
    const systemData = {
      createdBy: 'ci',
      createdAt: '2026-01-02T03:04:05Z',
      lastModifiedBy: 'ana',
      lastModifiedAt: '2026-02-03T04:05:06.7Z',
    };
    const properties = {
      systemData,
      location: 'westeurope',
      properties: { addressSpace: { addressPrefixes: ['10.0.0.0/8'] } },
    };
    const id = `/subscriptions/${AZURE.external_account_id}/resourceGroups/shop/providers/Microsoft.Network/virtualNetworks/core`;
    const network = live('microsoft.network/virtualnetworks', id.toLowerCase(), {
      aliases: [id],
      properties,
      tags: { ModifiedBy: 'bob' },
    });
    const held = {
      type: 'azurerm_virtual_network',
      attributes: { id, name: 'core', location: 'westeurope', address_space: ['10.1.0.0/16'] },
    };

    const changed = compute(AZURE, [held], [network]).items[0];
    const undeclared = compute(AZURE, [], [network]).items[0];

    expect(changed?.actor).toEqual({
      name: 'ana',
      action: 'modified',
      at: '2026-02-03T04:05:06.700Z',
      source: 'cloud',
    });
    expect(undeclared?.actor).toEqual({
      name: 'ci',
      action: 'created',
      at: '2026-01-02T03:04:05.000Z',
      source: 'cloud',
    });
  });

  test('is no secret', () => {
    expect(readActor({ tags: { CreatedBy: '[redacted]' } })).toBeNull();
  });
});

test('a computation that reads the account no second time confirms nothing', () => {
  const first = compute(reading('AWS::SQS::Queue'), [HELD], []).items[0];
  const earlier = new Map([[first?.key ?? '', '2026-11-20T00:00:00.000Z']]);
  const again = (is_read_again: boolean) =>
    compute(reading('AWS::SQS::Queue'), [HELD], [], { earlier, isReadAgain: () => is_read_again }).items[0]?.certainty;

  expect([first?.certainty, again(false), again(true)]).toEqual(['potential', 'potential', 'confirmed']);
});
