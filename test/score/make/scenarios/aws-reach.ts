import { create, destroy, replace, UNKNOWN, update } from '../changes.ts';
import type { Json, Scenario } from '../types.ts';

function rule(port: number, cidr: string, to = port): Json {
  const rest = { ipv6_cidr_blocks: [], prefix_list_ids: [], security_groups: [], self: false };
  return { cidr_blocks: [cidr], description: '', from_port: port, to_port: to, protocol: 'tcp', ...rest };
}

function policy(...statements: Json[]): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: statements });
}

const GITHUB = 'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com';

/** AWS networking, DNS and permissions. */
export const AWS_REACH_SCENARIOS: readonly Scenario[] = [
  {
    file: 'aws-ssh-open-among-reorder',
    expected: 'critical',
    why: 'The rules are reordered, and one of them opens SSH to the internet.',
    changes: [
      update(
        'aws_security_group.bastion',
        { ingress: [rule(443, '10.0.0.0/8'), rule(22, '0.0.0.0/0'), rule(8080, '10.1.0.0/16')] },
        { ingress: [rule(8080, '10.1.0.0/16'), rule(22, '198.51.100.0/24'), rule(443, '10.0.0.0/8')] },
      ),
      update('aws_security_group.web', {
        tags: { Env: 'prod', Team: 'edge' },
        tags_all: { Env: 'prod', Team: 'edge' },
      }),
    ],
    beside: ['aws', 8],
    keys: { 'aws_security_group.bastion': 'critical', 'aws_security_group.web': 'none' },
    noise: { 'aws_security_group.bastion': 'novel' },
  },
  {
    file: 'aws-rules-reordered-only',
    expected: 'low',
    acceptable: 'none-low',
    why: 'The same three rules in a different order; ingress is a set.',
    changes: [
      update(
        'aws_security_group.bastion',
        { ingress: [rule(443, '10.0.0.0/8'), rule(22, '198.51.100.0/24')] },
        { ingress: [rule(22, '198.51.100.0/24'), rule(443, '10.0.0.0/8')] },
      ),
    ],
    noise: { 'aws_security_group.bastion': 'benign' },
  },
  {
    file: 'aws-postgres-rule-world',
    expected: 'critical',
    why: 'A new rule allows access to the database from the whole internet.',
    changes: [
      create('aws_vpc_security_group_ingress_rule.pg', { cidr_ipv4: '0.0.0.0/0', security_group_id: 'sg-0f1' }),
    ],
    beside: ['aws', 7],
    keys: { 'aws_vpc_security_group_ingress_rule.pg': 'critical' },
  },
  {
    file: 'aws-ipv6-all-ports',
    expected: 'critical',
    why: 'All ports are open over IPv6, while IPv4 stays closed.',
    changes: [
      update(
        'aws_security_group_rule.app',
        { ipv6_cidr_blocks: ['::/0'], from_port: 0, to_port: 65535 },
        { ipv6_cidr_blocks: [] },
      ),
    ],
    beside: ['aws', 5],
    keys: { 'aws_security_group_rule.app': 'critical' },
  },
  {
    file: 'aws-split-world',
    expected: 'critical',
    why: '0.0.0.0/1 and 128.0.0.0/1 together open the MySQL port to the whole internet.',
    changes: [
      update(
        'aws_security_group_rule.db',
        { cidr_blocks: ['0.0.0.0/1', '128.0.0.0/1'], from_port: 3306, to_port: 3306 },
        { from_port: 3306, to_port: 3306 },
      ),
    ],
    beside: ['aws', 4],
    keys: { 'aws_security_group_rule.db': 'high-critical' },
  },
  {
    file: 'aws-https-open-new-site',
    expected: 'medium',
    acceptable: 'low-medium',
    why: 'A public site opens port 443.',
    changes: [create('aws_security_group.site', { ingress: [rule(443, '0.0.0.0/0')] })],
    beside: ['aws', 3],
  },
  {
    file: 'aws-rule-narrowed',
    expected: 'low',
    acceptable: 'low-medium',
    why: 'A rule is replaced by a narrower one.',
    changes: [replace('aws_vpc_security_group_ingress_rule.pg', { cidr_ipv4: '10.20.4.0/24' })],
    beside: ['aws', 2],
  },
  {
    file: 'aws-default-route-to-internet',
    expected: 'high',
    why: 'Private hosts get a direct route to the internet that bypasses the NAT.',
    changes: [update('aws_route.private_default', { gateway_id: 'igw-01', nat_gateway_id: '' })],
    beside: ['aws', 6],
    keys: { 'aws_route.private_default': 'high' },
  },
  {
    file: 'aws-nat-deleted',
    expected: 'high',
    why: 'Every private host loses outbound internet access.',
    changes: [destroy('aws_nat_gateway.main')],
    beside: ['aws', 6],
    keys: { 'aws_nat_gateway.main': 'high' },
  },
  {
    file: 'aws-balancer-replaced',
    expected: 'high',
    why: 'The load balancer is destroyed before the new one exists, which causes an outage.',
    changes: [replace('aws_lb.web', { internal: true }), update('aws_lb_listener.web', { load_balancer_arn: UNKNOWN })],
    beside: ['aws', 7],
    keys: { 'aws_lb.web': 'high' },
  },
  {
    file: 'aws-listener-plain-http',
    expected: 'medium',
    acceptable: 'medium-high',
    why: 'Port 80 serves unencrypted traffic without a redirect.',
    changes: [
      create('aws_lb_listener.plain', {
        port: 80,
        protocol: 'HTTP',
        ssl_policy: '',
        certificate_arn: null,
        load_balancer_arn: 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:loadbalancer/app/web/1',
      }),
    ],
    beside: ['aws', 3],
  },
  {
    file: 'aws-listener-old-tls',
    expected: 'high',
    acceptable: 'medium-high',
    why: 'Clients can use TLS 1.0 again.',
    changes: [update('aws_lb_listener.web', { ssl_policy: 'ELBSecurityPolicy-2016-08' })],
    beside: ['aws', 5],
    keys: { 'aws_lb_listener.web': 'medium-high' },
  },
  {
    file: 'aws-waf-detached',
    expected: 'high',
    why: 'The web application firewall of the shop is removed.',
    changes: [destroy('aws_wafv2_web_acl_association.web')],
    beside: ['aws', 8],
    keys: { 'aws_wafv2_web_acl_association.web': 'high' },
  },
  {
    file: 'aws-cdn-waf-dropped',
    expected: 'high',
    why: 'The firewall is detached from the distribution.',
    changes: [update('aws_cloudfront_distribution.site', { web_acl_id: '' })],
    beside: ['aws', 4],
    keys: { 'aws_cloudfront_distribution.site': 'high' },
  },
  {
    file: 'aws-apex-record-changed',
    expected: 'high',
    why: 'The DNS name of the shop points to another target.',
    changes: [
      update(
        'aws_route53_record.apex',
        { records: ['203.0.113.9'] },
        { name: 'shop.example', fqdn: 'shop.example', records: ['52.1.2.3'] },
      ),
    ],
    beside: ['aws', 6],
    keys: { 'aws_route53_record.apex': 'high' },
  },
  {
    file: 'aws-record-ttl',
    expected: 'low',
    acceptable: 'none-low',
    why: 'Only the TTL changes.',
    changes: [update('aws_route53_record.www', { ttl: 60 })],
    beside: ['aws', 2],
  },
  {
    file: 'aws-zone-deleted',
    expected: 'critical',
    acceptable: 'high-critical',
    why: 'All DNS names of the shop are deleted; a new zone has different name servers.',
    changes: [destroy('aws_route53_zone.main', { force_destroy: true })],
    beside: ['aws', 8],
    keys: { 'aws_route53_zone.main': 'high-critical' },
  },
  {
    file: 'aws-inline-admin',
    expected: 'critical',
    why: 'The deploy role gets administrator access.',
    changes: [
      update('aws_iam_role_policy.deploy', {
        policy: policy({
          Effect: 'Allow',
          Action: ['s3:GetObject', '*'],
          Resource: ['arn:aws:s3:::shop-assets/*', '*'],
        }),
      }),
    ],
    beside: ['aws', 8],
    keys: { 'aws_iam_role_policy.deploy': 'critical' },
  },
  {
    file: 'aws-notaction-admin',
    expected: 'critical',
    acceptable: 'high-critical',
    why: 'NotAction in an Allow grants everything except billing.',
    changes: [
      update('aws_iam_policy.support', {
        policy: policy({ Effect: 'Allow', NotAction: ['aws-portal:*'], Resource: '*' }),
      }),
    ],
    beside: ['aws', 6],
    keys: { 'aws_iam_policy.support': 'high-critical' },
  },
  {
    file: 'aws-administrator-attached',
    expected: 'critical',
    why: 'The AdministratorAccess policy is attached to a task role.',
    changes: [
      create('aws_iam_role_policy_attachment.task', { policy_arn: 'arn:aws:iam::aws:policy/AdministratorAccess' }),
    ],
    beside: ['aws', 7],
    keys: { 'aws_iam_role_policy_attachment.task': 'critical' },
  },
  {
    file: 'aws-read-policy-attached',
    expected: 'medium',
    acceptable: 'low-medium',
    why: 'One role gets an additional read permission.',
    changes: [
      create('aws_iam_role_policy_attachment.task', { policy_arn: 'arn:aws:iam::aws:policy/AmazonSSMReadOnlyAccess' }),
    ],
    beside: ['aws', 2],
  },
  {
    file: 'aws-trust-everyone',
    expected: 'critical',
    why: 'Anyone with an AWS account can assume the role.',
    changes: [
      update('aws_iam_role.partner', {
        assume_role_policy: policy({ Effect: 'Allow', Principal: { AWS: '*' }, Action: 'sts:AssumeRole' }),
      }),
    ],
    beside: ['aws', 8],
    keys: { 'aws_iam_role.partner': 'critical' },
  },
  {
    file: 'aws-trust-foreign-account',
    expected: 'high',
    why: 'An external account can assume the role without an external id.',
    changes: [
      update('aws_iam_role.partner', {
        assume_role_policy: policy({
          Effect: 'Allow',
          Principal: { AWS: 'arn:aws:iam::999988887777:root' },
          Action: 'sts:AssumeRole',
        }),
      }),
    ],
    beside: ['aws', 5],
    keys: { 'aws_iam_role.partner': 'high' },
  },
  {
    file: 'aws-oidc-without-subject',
    expected: 'high',
    acceptable: 'high-critical',
    why: 'Any GitHub repository can assume the deploy role: the subject condition was removed.',
    changes: [
      update(
        'aws_iam_role.ci',
        {
          assume_role_policy: policy({
            Effect: 'Allow',
            Principal: { Federated: GITHUB },
            Action: 'sts:AssumeRoleWithWebIdentity',
            Condition: { StringEquals: { 'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com' } },
          }),
        },
        {
          assume_role_policy: policy({
            Effect: 'Allow',
            Principal: { Federated: GITHUB },
            Action: 'sts:AssumeRoleWithWebIdentity',
            Condition: {
              StringEquals: {
                'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
                'token.actions.githubusercontent.com:sub': 'repo:shop/web:ref:refs/heads/main',
              },
            },
          }),
        },
      ),
    ],
    beside: ['aws', 7],
    keys: { 'aws_iam_role.ci': 'high-critical' },
  },
  {
    file: 'aws-oidc-wildcard-subject',
    expected: 'high',
    acceptable: 'high-critical',
    why: 'The subject "repo:*" matches any repository.',
    changes: [
      update(
        'aws_iam_role.ci',
        {
          assume_role_policy: policy({
            Effect: 'Allow',
            Principal: { Federated: GITHUB },
            Action: 'sts:AssumeRoleWithWebIdentity',
            Condition: { StringLike: { 'token.actions.githubusercontent.com:sub': 'repo:*' } },
          }),
        },
        {
          assume_role_policy: policy({
            Effect: 'Allow',
            Principal: { Federated: GITHUB },
            Action: 'sts:AssumeRoleWithWebIdentity',
            Condition: { StringLike: { 'token.actions.githubusercontent.com:sub': 'repo:shop/web:*' } },
          }),
        },
      ),
    ],
    beside: ['aws', 4],
    keys: { 'aws_iam_role.ci': 'high-critical' },
  },
  {
    file: 'aws-service-role-created',
    expected: 'low',
    acceptable: 'low-medium',
    why: 'A new task role without permissions.',
    changes: [create('aws_iam_role.worker')],
    beside: ['aws', 2],
  },
  {
    file: 'aws-passrole-everywhere',
    expected: 'high',
    why: 'Passing any role to any service allows privilege escalation.',
    changes: [
      update('aws_iam_policy.ci', {
        policy: policy({ Effect: 'Allow', Action: ['ecs:UpdateService', 'iam:PassRole'], Resource: '*' }),
      }),
    ],
    beside: ['aws', 6],
    keys: { 'aws_iam_policy.ci': 'high' },
  },
  {
    file: 'aws-boundary-removed',
    expected: 'high',
    why: 'The permissions boundary of the role is removed.',
    changes: [
      update(
        'aws_iam_role.tenant',
        { permissions_boundary: '' },
        { permissions_boundary: 'arn:aws:iam::111122223333:policy/boundary' },
      ),
    ],
    beside: ['aws', 5],
    keys: { 'aws_iam_role.tenant': 'high' },
  },
  {
    file: 'aws-deny-dropped',
    expected: 'high',
    why: 'The statement that denies deleting backups is removed.',
    changes: [
      update(
        'aws_iam_policy.ops',
        {
          policy: policy({
            Effect: 'Allow',
            Action: 'backup:*',
            Resource: 'arn:aws:backup:eu-west-1:111122223333:backup-vault:prod',
          }),
        },
        {
          policy: policy(
            {
              Effect: 'Allow',
              Action: 'backup:*',
              Resource: 'arn:aws:backup:eu-west-1:111122223333:backup-vault:prod',
            },
            { Effect: 'Deny', Action: 'backup:Delete*', Resource: '*' },
          ),
        },
      ),
    ],
    beside: ['aws', 3],
    keys: { 'aws_iam_policy.ops': 'high' },
  },
  {
    file: 'aws-trail-stopped',
    expected: 'critical',
    why: 'Audit logging is disabled.',
    changes: [update('aws_cloudtrail.org', { enable_logging: false }), destroy('aws_flow_log.main')],
    beside: ['aws', 8],
    keys: { 'aws_cloudtrail.org': 'critical', 'aws_flow_log.main': 'high' },
  },
];
