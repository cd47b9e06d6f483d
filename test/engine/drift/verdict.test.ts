import { describe, expect, test } from '@jest/globals';
import { filterDrift, renderDriftMarkdown, renderDriftText } from '../../../engine/drift/index.ts';
import type { JsonObject } from '../../../engine/index.ts';
import { AWS, AZURE, compute, GCP, type Held, live, NOW, reading } from './compute.ts';

const SUB = `/subscriptions/${AZURE.external_account_id}`;
const sqs = (name: string) => `https://sqs.eu-west-1.amazonaws.com/${AWS.external_account_id}/${name}`;

describe('the risk of an item comes from the rules that judge plans', () => {
  const groupWith = (CidrIp: string, port = 22) => ({
    SecurityGroupIngress: [{ IpProtocol: 'tcp', FromPort: port, ToPort: port, CidrIp }],
  });

  test('a group that the console opened to the world is critical', () => {
    const held: Held = { type: 'aws_security_group', attributes: { id: 'sg-0123456789abcdef0', ingress: [] } };
    const found = live('AWS::EC2::SecurityGroup', 'sg-0123456789abcdef0', { properties: groupWith('0.0.0.0/0') });
    const report = compute(AWS, [held], [found]);

    expect(report.risk_level).toBe('critical');
    expect(report.items[0]?.risk.reasons[0]).toMatchObject({ rule_id: 'R-NET-OPEN', level: 'critical' });
  });

  test('an undeclared public database is high, and a private queue is low', () => {
    const report = compute(
      AWS,
      [],
      [
        live('AWS::RDS::DBInstance', 'open', { properties: { PubliclyAccessible: true, StorageEncrypted: true } }),
        live('AWS::SQS::Queue', sqs('q'), { properties: { QueueName: 'q' } }),
      ],
    );
    const levels = report.items.map(({ resource_type, risk }) => [resource_type, risk.level]);

    expect(levels).toEqual([
      ['aws_db_instance', 'high'],
      ['aws_sqs_queue', 'low'],
    ]);
  });

  test('what makes a part of an undeclared bucket public makes the bucket dangerous', () => {
    const guards = {
      BlockPublicAcls: false,
      BlockPublicPolicy: false,
      IgnorePublicAcls: false,
      RestrictPublicBuckets: false,
    };
    const found = (open: boolean) =>
      live('AWS::S3::Bucket', 'acme', {
        properties: { BucketName: 'acme', ...(open ? { PublicAccessBlockConfiguration: guards } : {}) },
      });

    expect(compute(AWS, [], [found(true)]).risk_level).toBe('medium');
    expect(compute(AWS, [], [found(false)]).risk_level).toBe('low');
  });

  const NEW: readonly (readonly [cloud_type: string, id: string, level: string])[] = [
    ['AWS::IAM::User', 'ana', 'high'],
    ['AWS::EC2::VPC', 'vpc-0123456789abcdef0', 'medium'],
    ['AWS::KMS::Key', '1234abcd-12ab-34cd-56ef-1234567890ab', 'low'],
    ['AWS::CloudWatch::Dashboard', 'd', 'low'],
  ];
  test.each(NEW)('an undeclared %s is at least %s %s', (cloud_type, id, level) => {
    expect(compute(AWS, [], [live(cloud_type, id)]).items[0]?.risk.level).toBe(level);
  });

  const MISSING: readonly (readonly [type: string, cloud_type: string, attributes: JsonObject, level: string])[] = [
    ['aws_db_instance', 'AWS::RDS::DBInstance', { id: 'x', identifier: 'shop' }, 'critical'],
    ['aws_kms_key', 'AWS::KMS::Key', { id: 'x', key_id: '1234abcd-12ab-34cd-56ef-1234567890ab' }, 'critical'],
    ['aws_cloudtrail', 'AWS::CloudTrail::Trail', { id: 'main', name: 'main', enable_logging: true }, 'critical'],
    ['aws_iam_role', 'AWS::IAM::Role', { id: 'ops', name: 'ops' }, 'high'],
    ['aws_subnet', 'AWS::EC2::Subnet', { id: 'subnet-0123456789abcdef0' }, 'high'],
    ['aws_cloudwatch_dashboard', 'AWS::CloudWatch::Dashboard', { id: 'd', dashboard_name: 'd' }, 'medium'],
  ];
  test.each(MISSING)('a missing %s (%s) %j is %s', (type, cloud_type, attributes, level) => {
    const { items } = compute(reading(cloud_type), [{ type, attributes }], []);

    expect(items).toMatchObject([{ drift_type: 'missing', risk: { level } }]);
    for (const { message } of items[0]!.risk.reasons) expect(message).not.toMatch(/^(?:Destroys|Creates|Changes) /);
  });

  test('three weakened protections together are critical', () => {
    const names = ['a', 'b', 'c'];
    const held = names.map(
      (name): Held => ({
        type: 'aws_db_instance',
        name,
        attributes: { id: name, identifier: name, publicly_accessible: false },
      }),
    );
    const found = names.map((name) => live('AWS::RDS::DBInstance', name, { properties: { PubliclyAccessible: true } }));

    expect(compute(AWS, held.slice(0, 2), found.slice(0, 2))).toMatchObject({ risk_level: 'high', escalations: [] });
    expect(compute(AWS, held, found)).toMatchObject({
      risk_level: 'critical',
      escalations: [{ rule_id: 'R-BLAST-WEAKEN' }],
    });
  });
});

describe('what does not count', () => {
  const APART: readonly (readonly [cloud_type: string, id: string, more: Parameters<typeof live>[2]])[] = [
    ['AWS::IAM::Role', 'AWSServiceRoleForRDS', { properties: { Path: '/aws-service-role/rds.amazonaws.com/' } }],
    ['AWS::IAM::ManagedPolicy', 'arn:aws:iam::aws:policy/ReadOnlyAccess', {}],
    ['AWS::KMS::Key', 'k', { properties: { KeyManager: 'AWS' } }],
    ['AWS::KMS::Alias', 'alias/aws/s3', {}],
    ['AWS::EC2::VPC', 'vpc-1', { region: 'eu-west-1', properties: { CidrBlock: '172.31.0.0/16' } }],
    ['AWS::EC2::SecurityGroup', 'sg-1', { properties: { GroupName: 'default' } }],
    ['AWS::EC2::SecurityGroup', 'sg-2', { properties: { GroupName: 'eks-cluster-sg-main-1' } }],
    ['AWS::EC2::Instance', 'i-1', { tags: { 'aws:autoscaling:groupName': 'web' } }],
    ['AWS::EC2::LaunchTemplate', 'lt-1', { tags: { 'eks:nodegroup-name': 'workers' } }],
    ['AWS::EC2::SubnetRouteTableAssociation', 'rtbassoc-1', {}],
    ['AWS::RDS::DBParameterGroup', 'default.postgres17', {}],
    ['AWS::Made::Up', 'x', {}],
  ];
  test.each(APART)('%s %s', (cloud_type, id, more) => {
    const report = compute(AWS, [], [live(cloud_type, id, more)]);

    expect(report).toMatchObject({ items: [], total_live: 0, apart_count: 1, listed_count: 1, coverage_pct: 100 });
    expect(report.apart[0]?.reason).toMatch(/^[A-Z].*\.$/);
  });

  test('what comes with the default VPC of a region', () => {
    const found = [
      live('AWS::EC2::VPC', 'vpc-1', { region: 'eu-west-1', properties: { CidrBlock: '172.31.0.0/16' } }),
      live('AWS::EC2::Subnet', 'subnet-1', { region: 'eu-west-1', properties: { VpcId: 'vpc-1' } }),
      live('AWS::EC2::InternetGateway', 'igw-1', { region: 'eu-west-1' }),
      live('AWS::EC2::InternetGateway', 'igw-2', { region: 'us-east-1' }),
    ];

    expect(compute(AWS, [], found).items).toMatchObject([{ provider_resource_id: 'igw-2' }]);
  });

  test('what the cloud created together with a declared resource', () => {
    const vpc: Held = {
      type: 'aws_vpc',
      attributes: { id: 'vpc-0123456789abcdef0', main_route_table_id: 'rtb-1', default_network_acl_id: 'acl-1' },
    };
    const found = [
      live('AWS::EC2::VPC', 'vpc-0123456789abcdef0'),
      live('AWS::EC2::RouteTable', 'rtb-1'),
      live('AWS::EC2::RouteTable', 'rtb-2'),
    ];

    expect(compute(AWS, [vpc], found).items).toMatchObject([{ provider_resource_id: 'rtb-2' }]);
  });

  test('in Google Cloud and Azure', () => {
    const google = [
      live('compute.googleapis.com/Network', '//compute.googleapis.com/projects/acme-prod/global/networks/default', {
        name: 'default',
      }),
      live(
        'compute.googleapis.com/Instance',
        '//compute.googleapis.com/projects/acme-prod/zones/z/instances/gke-main-1',
        { tags: { 'goog-gke-node': '' } },
      ),
      live('iam.googleapis.com/ServiceAccount', '//iam.googleapis.com/projects/acme-prod/serviceAccounts/1', {
        name: '4711-compute@developer.gserviceaccount.com',
      }),
    ];
    const azure = [
      live(
        'microsoft.network/networkwatchers',
        `${SUB}/resourcegroups/networkwatcherrg/providers/microsoft.network/networkwatchers/networkwatcher_westeurope`,
        { name: 'NetworkWatcher_westeurope' },
      ),
      live(
        'microsoft.compute/virtualmachinescalesets',
        `${SUB}/resourcegroups/mc_rg_aks_westeurope/providers/microsoft.compute/virtualmachinescalesets/aks-1`,
      ),
      live('microsoft.compute/disks', `${SUB}/resourcegroups/rg/providers/microsoft.compute/disks/os`, {
        properties: { managedBy: `${SUB}/resourceGroups/rg/providers/x` },
      }),
    ];

    expect(compute(GCP, [], google)).toMatchObject({ items: [], apart_count: 3 });
    expect(compute(AZURE, [], azure)).toMatchObject({ items: [], apart_count: 3 });
  });
});

describe('certainty', () => {
  const gone: Held = { type: 'aws_sqs_queue', attributes: { id: sqs('gone') } };
  const account = reading('AWS::SQS::Queue');

  test('a missing resource is confirmed by a second read, or by an earlier computation', () => {
    const [first] = compute(account, [gone], []).items;
    const earlier = new Map([[first!.key, '2026-11-20T00:00:00.000Z']]);

    expect(first).toMatchObject({ certainty: 'potential', first_detected_at: NOW });
    expect(compute(account, [gone], [], { reads: 2 }).items[0]?.certainty).toBe('confirmed');
    expect(compute(account, [gone], [], { earlier }).items).toMatchObject([
      { certainty: 'confirmed', first_detected_at: '2026-11-20T00:00:00.000Z' },
    ]);
  });

  test('what a service itself answers is confirmed at once; an index may lag behind', () => {
    expect(compute(AWS, [], [live('AWS::SQS::Queue', sqs('q'))]).items[0]?.certainty).toBe('confirmed');
    expect(compute(AWS, [], [live('AWS::IAM::User', 'ana')]).items[0]?.certainty).toBe('potential');
    const topic = live('pubsub.googleapis.com/Topic', '//pubsub.googleapis.com/projects/acme-prod/topics/t');
    expect(compute(GCP, [], [topic])).toMatchObject({ potential_count: 1 });
  });
});

test('items are ordered by kind, then by age, then by name', () => {
  const held = ['b', 'a'].map((name): Held => ({ type: 'aws_sqs_queue', name, attributes: { id: sqs(name) } }));
  const found = [live('AWS::SQS::Queue', sqs('z')), live('AWS::SQS::Queue', sqs('y'))];
  const first = compute(reading('AWS::SQS::Queue'), held, found);
  const old = first.items.find(({ resource_address }) => resource_address === 'aws_sqs_queue.b')!;
  const again = compute(reading('AWS::SQS::Queue'), held, found, {
    earlier: new Map([[old.key, '2026-01-01T00:00:00.000Z']]),
  });

  expect(
    again.items.map(({ drift_type, resource_address, provider_resource_id: id }) => [
      drift_type,
      resource_address ?? id,
    ]),
  ).toEqual([
    ['missing', 'aws_sqs_queue.b'],
    ['missing', 'aws_sqs_queue.a'],
    ['new', sqs('y')],
    ['new', sqs('z')],
  ]);
});

test.each([
  [1, 3, 33.3],
  [2, 3, 66.7],
  [1, 1, 100],
  [0, 0, 100],
  [1, 16, 6.3],
])('the coverage of %i of %i is %f', (known, all, pct) => {
  const names = Array.from({ length: all }, (_, i) => `q${i}`);
  const held = names
    .slice(0, known)
    .map((name): Held => ({ type: 'aws_sqs_queue', name, attributes: { id: sqs(name) } }));

  expect(
    compute(
      AWS,
      held,
      names.map((name) => live('AWS::SQS::Queue', sqs(name))),
    ).coverage_pct,
  ).toBe(pct);
});

describe('import blocks', () => {
  const block = (report: ReturnType<typeof compute>) => report.items.map(({ import_block }) => import_block);

  test('take the ID that terraform import takes', () => {
    const found = [
      live('AWS::ApiGateway::Stage', 'abc|prod', { name: 'prod' }),
      live('AWS::EC2::EIP', '203.0.113.7|eipalloc-1', { properties: { AllocationId: 'eipalloc-1' } }),
      live('AWS::S3::Bucket', 'acme-tmp', { name: 'acme-tmp' }),
      live('AWS::Cassandra::Table', 'a|b'),
    ];

    expect(block(compute(AWS, [], found))).toEqual([
      'import {\n  to = aws_api_gateway_stage.prod\n  id = "abc/prod"\n}\n',
      null,
      'import {\n  to = aws_eip.r_203_0_113_7\n  id = "eipalloc-1"\n}\n',
      'import {\n  to = aws_s3_bucket.acme_tmp\n  id = "acme-tmp"\n}\n',
    ]);
  });

  test('propose addresses that no state uses, without interpolation', () => {
    const held: Held = {
      type: 'aws_sns_topic',
      name: 'alerts',
      attributes: { id: 'x', arn: 'arn:aws:sns:eu-west-1:210987654321:old' },
    };
    const id = 'arn:aws:sns:eu-west-1:210987654321:${x}"';
    const found = [
      live('AWS::SNS::Topic', id, { name: 'alerts' }),
      live('AWS::SNS::Topic', held.attributes['arn'] as string),
    ];

    expect(block(compute(AWS, [held], found))[0]).toContain(
      'to = aws_sns_topic.alerts_2\n  id = "arn:aws:sns:eu-west-1:210987654321:$${x}\\""',
    );
  });

  test('keep the case of Azure, and choose the type by the kind of app', () => {
    const id = `${SUB}/resourceGroups/RG-Shop/providers/Microsoft.Web/sites/fn`;
    const found = live('microsoft.web/sites', id.toLowerCase(), {
      aliases: [id],
      name: 'fn',
      properties: { kind: 'functionapp,linux' },
    });

    expect(block(compute(AZURE, [], [found]))[0]).toBe(
      `import {\n  to = azurerm_linux_function_app.fn\n  id = "${id}"\n}\n`,
    );
  });
});

test('pages of the console', () => {
  const url = (account: typeof AWS, one: ReturnType<typeof live>) => compute(account, [], [one]).items[0]?.console_url;

  expect(url(AWS, live('AWS::EC2::Instance', 'i-1', { region: 'eu-west-1' }))).toBe(
    'https://eu-west-1.console.aws.amazon.com/ec2/home?region=eu-west-1#InstanceDetails:instanceId=i-1',
  );
  expect(url(AWS, live('AWS::SNS::Topic', 'arn:aws:sns:eu-west-1:1:t'))).toBe(
    'https://console.aws.amazon.com/go/view?arn=arn%3Aaws%3Asns%3Aeu-west-1%3A1%3At',
  );
  expect(url(AZURE, live('microsoft.storage/storageaccounts', `${SUB}/a b`))).toBe(
    `https://portal.azure.com/#resource${SUB}/a%20b`,
  );
});

const NO_CONDITIONS = {
  ...{ drift_types: [], resource_type: null, address: null, provider_resource_id: null },
  ...{ attribute: null, tag_key: null, tag_value: null },
};

describe('texts', () => {
  const held: Held[] = [
    { type: 'aws_sqs_queue', name: 'gone', attributes: { id: sqs('gone') } },
    { type: 'aws_made_up', attributes: { id: 'x' } },
  ];
  const denied = {
    region: 'eu-west-1',
    provider_type: 'AWS::KMS::Key',
    code: 'access_denied',
    message: 'Grant kms:ListKeys.',
  };
  const account = { ...reading('AWS::SQS::Queue'), unread: [denied] };
  const found = [live('AWS::IAM::User', '`ana`\u001b[31m*x*'), live('AWS::KMS::Alias', 'alias/aws/s3')];

  test('the narrative states counts, the worst items, and what was not checked', () => {
    const { narrative } = compute(account, held, found);

    expect(narrative).toContain(
      '**Risk: HIGH.** 1 missing and 1 undeclared resources. 0 resources of the states are as declared. The states cover 0 % of 1 resource.',
    );
    expect(narrative).toContain('`aws_sqs_queue.gone`: missing, seen once, high.');
    expect(narrative).toContain(
      '1 resource of the states could not be checked: `aws_made_up`. `AWS::KMS::Key` in `eu-west-1` was not read (access_denied).',
    );
    expect(narrative).toContain('1 listed object does not count: among them 1 that services made for themselves.');
    expect(narrative).not.toContain('\u001b');
  });

  test('without any state the narrative says so, and does not speak of coverage', () => {
    const two = [live('AWS::SQS::Queue', 'https://sqs/1'), live('AWS::SQS::Queue', 'https://sqs/2')];
    const { narrative } = compute(AWS, [], two);
    expect(narrative).toMatch(/^\*\*Risk: [A-Z]+\.\*\* No state declares anything in this account, so all 2 resources/);
    expect(narrative).not.toContain('cover');
    expect(compute(AWS, [], two.slice(1)).narrative).toContain('so the one resource in it counts as undeclared');
  });

  test('an account in sync says so, and one that was not checked does not', () => {
    expect(compute(AWS, [], [])).toMatchObject({ drift_status: 'in_sync', risk_level: 'none' });
    expect(compute(AWS, [], []).narrative).toContain('The account is in sync');
    const partly = compute(AWS, held.slice(1), []);
    expect(partly.drift_status).toBe('incomplete');
    expect(partly.narrative).not.toContain('in sync');
  });

  test('Markdown makes names and reasons inert, and keeps fences around the code', () => {
    const named = live('AWS::IAM::User', '`ana`\u001b[31m|<b>', { name: '``` @team |' });
    const ignore_rules = [{ ...NO_CONDITIONS, id: 'rule 1', address: 'aws_sqs_queue.*' }];
    const report = compute(account, held, [named], { ignore_rules });

    const markdown = renderDriftMarkdown(report, {
      top: 5,
      reasons: new Map([['rule 1', '| @team [x](https://evil)']]),
    });

    expect(markdown).not.toContain('\u001b');
    expect(markdown).not.toMatch(/<b>|@team (?!&)[^&]*\]\(https:\/\/evil/);
    expect(markdown).toContain(
      '**Not checked:** 1 part of the account and 1 resource\n- `AWS::KMS::Key in eu-west-1`: ',
    );
    expect(markdown).toContain('Accepted by ignore rules (1)');
    const rows = markdown.split('\n').filter((line) => line.startsWith('| 🟠') || line.startsWith('| missing'));
    for (const row of rows) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(5);
  });

  test('a filtered report has the counts and the level of what it shows', () => {
    const report = compute(account, held, found);
    const filter = { types: ['aws_sqs_*'], addresses: [], min_level: 'none' } as const;

    expect(filterDrift(report, filter)).toMatchObject({
      missing_count: 1,
      extra_count: 0,
      items: [{ drift_type: 'missing' }],
    });
    expect(filterDrift(report, { ...filter, types: ['AWS::IAM::*'] })).toMatchObject({
      missing_count: 0,
      extra_count: 1,
    });
    expect(filterDrift(report, { ...filter, types: [], addresses: ['nothing'] })).toMatchObject({
      items: [],
      risk_level: 'none',
    });
  });

  test('the text for a terminal has no control characters of names', () => {
    const text = renderDriftText(compute(account, held, found), { color: false, top: 20 });

    expect(text).toMatch(/^HIGH RISK {2}AWS 210987654321: 1 missing and 1 undeclared resources\.\n/);
    expect(text).toContain('  - missing  !!  high     aws_sqs_queue.gone');
    expect(text).not.toContain('\u001b');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });
});
