/** Associations, destinations of alerts, and hosts that DNS records point to. */
import type { JsonObject } from '../../../model/result.ts';
import { list, member, strings, text } from '../../attributes/values.ts';
import { type Index, listNames, listNamesIn, type Neighbors, refersTo, sharesName } from '../neighbors.ts';
import type { Gone, Need } from './types.ts';

const WHOLE = /^(?:0\.0\.0\.0\/0|::\/0)$/;

const indexLinks = (type: string): Index => ({ types: [type], names: (link) => [text(member(link, 'subnet_id'))] });
const ROUTE_TABLE_LINK = 'azurerm_subnet_route_table_association';
const AWS_ROUTE_TABLE_LINK = 'aws_route_table_association';
const SECURITY_GROUP_LINK = 'azurerm_subnet_network_security_group_association';
const LINKS_BY_TYPE: Readonly<Record<string, Index>> = Object.fromEntries(
  [ROUTE_TABLE_LINK, AWS_ROUTE_TABLE_LINK, SECURITY_GROUP_LINK].map((type) => [type, indexLinks(type)]),
);

/** Whether the plan gives the same subnet another link of this type. */
function isLinkedAgain({ type, side, plan, isDestroyed }: Gone): boolean {
  const name = text(member(side, 'subnet_id'));
  if (name === '' || isDestroyed(name)) return true;
  const links = plan.linked(LINKS_BY_TYPE[type]!, [name]);
  return links.some(({ after }) => after !== null && text(member(after, 'subnet_id')) === name);
}

const ROUTES_BY_TABLE: Index = {
  types: ['azurerm_route'],
  names: (route) => [text(member(route, 'route_table_name'))],
};

function hasForcedRoute(table: JsonObject, plan: Neighbors): boolean {
  const name = text(member(table, 'name'));
  const separate = plan
    .linked(ROUTES_BY_TABLE, [name])
    .filter(({ after }) => after !== null && text(member(after, 'route_table_name')) === name);
  return [...list(member(table, 'route')), ...separate.map(({ after }) => after)].some(
    (route) =>
      WHOLE.test(text(member(route, 'address_prefix'))) &&
      /^(?:VirtualAppliance|VirtualNetworkGateway|None)$/i.test(text(member(route, 'next_hop_type'))),
  );
}

const AWS_ROUTES_BY_TABLE: Index = {
  types: ['aws_route'],
  names: (route) => listNamesIn(member(route, 'route_table_id')),
};

function hasDefaultRoute(table: JsonObject, plan: Neighbors): boolean {
  const separate = plan
    .linked(AWS_ROUTES_BY_TABLE, listNames(table))
    .filter(({ after }) => after !== null && refersTo(member(after, 'route_table_id'), table));
  const inline = list(member(table, 'route')).map((route) => text(member(route, 'cidr_block')));
  return [...inline, ...separate.map(({ after }) => text(member(after, 'destination_cidr_block')))].some((range) =>
    WHOLE.test(range),
  );
}

const readTable = (type: string): Need['users'] => ({ types: [type], names: listNames, reads: ['route'] });
const listTables = ({ side }: Gone): string[] => listNamesIn(member(side, 'route_table_id'));

/** Where alerts go, with the attributes of the alerts that name it. */
const RECIPIENTS: readonly {
  types: string[];
  users: string[];
  argument: string;
  read?: (user: JsonObject) => readonly string[];
}[] = [
  {
    types: ['aws_sns_topic'],
    users: ['aws_cloudwatch_metric_alarm', 'aws_cloudwatch_composite_alarm', 'aws_budgets_budget'],
    argument: 'alarm_actions',
  },
  {
    types: ['google_monitoring_notification_channel'],
    users: ['google_monitoring_alert_policy'],
    argument: 'notification_channels',
  },
  {
    types: ['azurerm_monitor_action_group'],
    users: [
      'azurerm_monitor_metric_alert',
      'azurerm_monitor_activity_log_alert',
      'azurerm_monitor_scheduled_query_rules_alert_v2',
    ],
    argument: 'action',
    read: (alert) =>
      list(member(alert, 'action')).flatMap((block) => [
        text(member(block, 'action_group_id')),
        ...strings(member(block, 'action_groups')),
      ]),
  },
  { types: ['grafana_contact_point'], users: ['grafana_notification_policy'], argument: 'contact_point' },
  { types: ['pagerduty_escalation_policy'], users: ['pagerduty_service'], argument: 'escalation_policy' },
];

export const HOSTS: readonly string[] = [
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
const RECORDS: readonly string[] = [
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

const TARGET_NAMES = ['record', 'content', 'value', 'records', 'rrdatas', 'alias'];

/** The names of a host, in lower case. */
export const listHosts = (host: JsonObject): string[] =>
  HOST_NAMES.map((attribute) => toHost(text(member(host, attribute)))).filter((name) => name !== '');

/** The hosts that a record points to. */
const listTargets = (record: JsonObject): string[] =>
  [
    ...['record', 'content', 'value'].map((name) => text(member(record, name))),
    ...strings(member(record, 'records')),
    ...strings(member(record, 'rrdatas')),
    ...list(member(record, 'alias')).map((alias) => text(member(alias, 'name'))),
  ].map(toHost);

/** Whether a record points to a host. */
export const pointsTo = (record: JsonObject, host: JsonObject): boolean =>
  sharesName(listTargets(record), listHosts(host));

export const RECORDS_BY_TARGET: Need['users'] = { types: RECORDS, names: listTargets, reads: TARGET_NAMES };

export const LINK_NEEDS: readonly Need[] = [
  {
    types: [ROUTE_TABLE_LINK],
    names: listTables,
    users: readTable('azurerm_route_table'),
    looks_up: {
      azurerm_route: ['route_table_name', 'address_prefix', 'next_hop_type'],
      [ROUTE_TABLE_LINK]: ['subnet_id'],
    },
    needs: (table, gone) => hasForcedRoute(table, gone.plan) && !isLinkedAgain(gone),
    level: 'high',
    says: 'the subnet loses its only default route and leaves past what the route forced it through',
  },
  {
    types: [AWS_ROUTE_TABLE_LINK],
    names: listTables,
    users: readTable('aws_route_table'),
    looks_up: { aws_route: ['route_table_id', 'destination_cidr_block'], [AWS_ROUTE_TABLE_LINK]: ['subnet_id'] },
    needs: (table, gone) => hasDefaultRoute(table, gone.plan) && !isLinkedAgain(gone),
    level: 'high',
    says: 'the subnet falls back to the main route table and loses this default route',
  },
  {
    types: [SECURITY_GROUP_LINK],
    names: ({ side }) => listNamesIn(member(side, 'network_security_group_id')),
    users: { types: ['azurerm_network_security_group'], names: listNames, reads: [] },
    looks_up: { [SECURITY_GROUP_LINK]: ['subnet_id'] },
    needs: (_, gone) => !isLinkedAgain(gone),
    level: 'high',
    says: 'its rules no longer filter the subnet',
  },
  ...RECIPIENTS.map(
    ({ types, users, argument, read = (user) => strings(member(user, argument)) }): Need => ({
      types,
      names: ({ side }) => listNames(side),
      users: { types: users, names: (user) => read(user).flatMap(listNamesIn), reads: [argument] },
      level: 'high',
      says: 'the alert stays, but reaches nobody',
    }),
  ),
  {
    types: HOSTS,
    names: ({ side }) => listHosts(side),
    users: RECORDS_BY_TARGET,
    level: 'high',
    says: 'the record still points to its name, which becomes free: whoever takes it answers for the domain',
  },
];
