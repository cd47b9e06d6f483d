/** Associations, destinations of alerts, and hosts that DNS records point to. */
import type { JsonObject } from '../../../model/result.ts';
import { list, member, strings, text } from '../../attributes/values.ts';
import { type Neighbors, refersTo } from '../neighbors.ts';
import type { Gone, Need } from './types.ts';

const WHOLE = /^(?:0\.0\.0\.0\/0|::\/0)$/;

/** Whether the plan gives the same subnet or interface another link of this type. */
function isLinkedAgain({ type, side, plan, isDestroyed }: Gone, attribute: string): boolean {
  const name = text(member(side, attribute));
  if (name === '' || isDestroyed(name)) return true;
  return plan.find([type]).some(({ after }) => after !== null && text(member(after, attribute)) === name);
}

function hasForcedRoute(table: JsonObject, plan: Neighbors): boolean {
  const separate = plan
    .find(['azurerm_route'])
    .filter(({ after }) => after !== null && text(member(after, 'route_table_name')) === text(member(table, 'name')));
  return [...list(member(table, 'route')), ...separate.map(({ after }) => after)].some(
    (route) =>
      WHOLE.test(text(member(route, 'address_prefix'))) &&
      /^(?:VirtualAppliance|VirtualNetworkGateway|None)$/i.test(text(member(route, 'next_hop_type'))),
  );
}

function hasDefaultRoute(table: JsonObject, plan: Neighbors): boolean {
  const separate = plan
    .find(['aws_route'])
    .filter(({ after }) => after !== null && refersTo(member(after, 'route_table_id'), table));
  const inline = list(member(table, 'route')).map((route) => text(member(route, 'cidr_block')));
  return [...inline, ...separate.map(({ after }) => text(member(after, 'destination_cidr_block')))].some((range) =>
    WHOLE.test(range),
  );
}

/** Where alerts go, with the attributes of the alerts that name it. */
const RECIPIENTS: readonly [types: string[], users: string[], read: (user: JsonObject) => readonly string[]][] = [
  [
    ['aws_sns_topic'],
    ['aws_cloudwatch_metric_alarm', 'aws_cloudwatch_composite_alarm', 'aws_budgets_budget'],
    (alarm) => strings(member(alarm, 'alarm_actions')),
  ],
  [
    ['google_monitoring_notification_channel'],
    ['google_monitoring_alert_policy'],
    (policy) => strings(member(policy, 'notification_channels')),
  ],
  [
    ['azurerm_monitor_action_group'],
    [
      'azurerm_monitor_metric_alert',
      'azurerm_monitor_activity_log_alert',
      'azurerm_monitor_scheduled_query_rules_alert_v2',
    ],
    (alert) =>
      list(member(alert, 'action')).flatMap((block) => [
        text(member(block, 'action_group_id')),
        ...strings(member(block, 'action_groups')),
      ]),
  ],
  [['grafana_contact_point'], ['grafana_notification_policy'], (policy) => strings(member(policy, 'contact_point'))],
  [['pagerduty_escalation_policy'], ['pagerduty_service'], (service) => strings(member(service, 'escalation_policy'))],
];

const HOSTS = [
  'azurerm_linux_web_app',
  'azurerm_windows_web_app',
  'azurerm_linux_function_app',
  'azurerm_windows_function_app',
  'azurerm_app_service',
  'azurerm_static_web_app',
  'azurerm_cdn_endpoint',
  'azurerm_cdn_frontdoor_endpoint',
  'azurerm_traffic_manager_profile',
  'azurerm_storage_account',
  'azurerm_public_ip',
  'azurerm_container_group',
  'aws_s3_bucket',
  'aws_s3_bucket_website_configuration',
  'aws_elastic_beanstalk_environment',
  'aws_cloudfront_distribution',
  'heroku_app',
];
export const RECORDS: readonly string[] = [
  'azurerm_dns_cname_record',
  'aws_route53_record',
  'cloudflare_record',
  'cloudflare_dns_record',
  'google_dns_record_set',
  'digitalocean_record',
  'ns1_record',
];
const HOST_NAMES = [
  'default_hostname',
  'default_host_name',
  'default_site_hostname',
  'fqdn',
  'primary_web_host',
  'primary_blob_host',
  'host_name',
  'cname',
  'domain_name',
  'website_endpoint',
  'bucket_regional_domain_name',
  'bucket_domain_name',
];

const toHost = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** Whether a record points to a host. */
export function pointsTo(record: JsonObject, host: JsonObject): boolean {
  const hosts = new Set(
    HOST_NAMES.map((attribute) => toHost(text(member(host, attribute)))).filter((name) => name !== ''),
  );
  const targets = [
    ...['record', 'content', 'value'].map((name) => text(member(record, name))),
    ...strings(member(record, 'records')),
    ...strings(member(record, 'rrdatas')),
    ...list(member(record, 'alias')).map((alias) => text(member(alias, 'name'))),
  ];
  return targets.some((target) => target !== '' && hosts.has(toHost(target)));
}

export { HOSTS };

export const LINK_NEEDS: readonly Need[] = [
  {
    types: ['azurerm_subnet_route_table_association'],
    users: ['azurerm_route_table', 'azurerm_route'],
    needs: (table, gone, { type }) =>
      type === 'azurerm_route_table' &&
      refersTo(member(gone.side, 'route_table_id'), table) &&
      hasForcedRoute(table, gone.plan) &&
      !isLinkedAgain(gone, 'subnet_id'),
    level: 'high',
    says: 'the subnet loses its only default route and leaves past what the route forced it through',
  },
  {
    types: ['aws_route_table_association'],
    users: ['aws_route_table', 'aws_route'],
    needs: (table, gone, { type }) =>
      type === 'aws_route_table' &&
      refersTo(member(gone.side, 'route_table_id'), table) &&
      hasDefaultRoute(table, gone.plan) &&
      !isLinkedAgain(gone, 'subnet_id'),
    level: 'high',
    says: 'the subnet falls back to the main route table and loses this default route',
  },
  {
    types: ['azurerm_subnet_network_security_group_association'],
    users: ['azurerm_network_security_group'],
    needs: (group, gone) =>
      refersTo(member(gone.side, 'network_security_group_id'), group) && !isLinkedAgain(gone, 'subnet_id'),
    level: 'high',
    says: 'its rules no longer filter the subnet',
  },
  ...RECIPIENTS.map(
    ([types, users, read]): Need => ({
      types,
      users,
      needs: (user, { side }) => refersTo([...read(user)], side),
      level: 'high',
      says: 'the alert stays, but reaches nobody',
    }),
  ),
  {
    types: HOSTS,
    users: RECORDS,
    needs: (record, { side }) => pointsTo(record, side),
    level: 'high',
    says: 'the record still points to its name, which becomes free: whoever takes it answers for the domain',
  },
];
