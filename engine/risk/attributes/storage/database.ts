/** Database rules that read more than one attribute. */

const REASONS = {
  skip_snapshot: 'The database is destroyed without a final snapshot.',
  unencrypted: (parameter: string) => `Clients can connect without encryption: ${parameter} does not require it.`,
  filter_emptied: 'Any network can connect to the account, because its address filter is emptied.',
  filter_cloud: 'Azure services of other customers can connect to the account (0.0.0.0).',
  columns: (names: string) => `Drops columns or changes their type, which loses their data: ${names}.`,
};

import type { RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { isEmpty, list, member, parseJson, strings, text, truth } from '../values.ts';

const SNAPSHOT_TYPES = [
  'aws_db_instance',
  'aws_rds_cluster',
  'aws_docdb_cluster',
  'aws_neptune_cluster',
  'aws_neptune_cluster_instance',
  'aws_redshift_cluster',
  'aws_lightsail_database',
];

/** R-DB-SKIPSNAP for a database that the plan destroys. */
function judgeDestruction(subject: Subject): void {
  const { before, after, change } = subject;
  if (!change.actions.includes('delete')) return;
  if (truth(member(before, 'skip_final_snapshot')) !== true && truth(member(after, 'skip_final_snapshot')) !== true)
    return;
  subject.add({
    rule: 'R-DB-SKIPSNAP',
    level: 'critical',
    path: ['skip_final_snapshot'],
    message: REASONS.skip_snapshot,
  });
  subject.setDirection(['skip_final_snapshot'], 'weakening');
}

const ENCRYPTED_SESSIONS = new Set(['rds.force_ssl', 'require_secure_transport', 'require_ssl']);

/** Checks parameters that require encrypted sessions, in a parameter group or as single resources. */
function judgeParameters(subject: Subject): void {
  const before = forcing(subject.before);
  const after = forcing(subject.after);
  for (const [name, forced] of new Map([...before, ...after])) {
    if (!ENCRYPTED_SESSIONS.has(name) || (forced && after.get(name) === before.get(name))) continue;
    const was = before.get(name) === true;
    const is = after.get(name) === true;
    const path = [member(subject.after ?? subject.before, 'parameter') === undefined ? 'value' : 'parameter'];
    if (is && !was) subject.setDirection(path, 'strengthening');
    if (is || (!was && subject.mode !== 'create')) continue;
    const level: RiskLevel = subject.mode === 'create' ? 'medium' : 'high';
    subject.add({
      rule: 'R-TLS-DOWN',
      level,
      path,
      message: REASONS.unencrypted(name),
    });
    subject.setDirection(path, 'weakening');
  }
}

function forcing(side: Value): Map<string, boolean> {
  const parameters = member(side, 'parameter') === undefined ? [side ?? null] : list(member(side, 'parameter'));
  const found = new Map<string, boolean>();
  for (const parameter of parameters) {
    const name = text(member(parameter, 'name')).toLowerCase();
    if (ENCRYPTED_SESSIONS.has(name))
      found.set(name, ['1', 'on', 'true'].includes(text(member(parameter, 'value')).toLowerCase()));
  }
  return found;
}

/** Cosmos DB: an empty filter or 0.0.0.0 allows other networks. */
function judgeAddressFilter(subject: Subject): void {
  const before = addresses(subject.before);
  const after = addresses(subject.after);
  if (subject.mode === 'create' || subject.isUnknown('ip_range_filter')) return;
  const open = after.includes('0.0.0.0') && !before.includes('0.0.0.0');
  const emptied = after.length === 0 && before.length > 0;
  if (!open && !emptied) return;
  const message = emptied ? REASONS.filter_emptied : REASONS.filter_cloud;
  subject.add({ rule: `R-ATTR-${subject.type}.ip_range_filter`, level: 'high', path: ['ip_range_filter'], message });
  subject.setDirection(['ip_range_filter'], 'weakening');
}

function addresses(side: Value): string[] {
  return strings(member(side, 'ip_range_filter'))
    .flatMap((part) => part.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const SCHEMA_CHARS_MAX = 500_000;

/** Checks for columns that are dropped or change their type, which loses their data. */
function judgeColumns(subject: Subject): void {
  const before = columns(subject.before);
  const after = columns(subject.after);
  if (isEmpty(member(subject.after, 'schema'))) return;
  const lost = [...before].filter(([name, type]) => after.get(name) !== type).map(([name]) => name);
  if (lost.length === 0) return;
  subject.add({
    rule: `R-ATTR-${subject.type}.schema`,
    level: 'critical',
    path: ['schema'],
    message: REASONS.columns(subject.quoteAll(['schema'], lost)),
    neutral: true,
  });
  subject.setDirection(['schema'], 'weakening');
}

function columns(side: Value): Map<string, string> {
  const schema = member(side, 'schema');
  const fields = typeof schema === 'string' ? parseJson(schema, SCHEMA_CHARS_MAX) : schema;
  return new Map(list(fields).map((field) => [text(member(field, 'name')), text(member(field, 'type')).toUpperCase()]));
}

export const DATABASE_RULES: readonly Rule[] = [
  { types: SNAPSHOT_TYPES, watches: [], modes: ['delete', 'replace'], find: judgeDestruction },
  {
    types: ['aws_db_parameter_group', 'aws_rds_cluster_parameter_group', 'aws_redshift_parameter_group'],
    watches: [{ path: 'parameter' }],
    find: judgeParameters,
  },
  {
    types: ['azurerm_postgresql_flexible_server_configuration', 'azurerm_mysql_flexible_server_configuration'],
    watches: [{ path: 'value' }],
    find: judgeParameters,
  },
  {
    types: ['azurerm_cosmosdb_account'],
    watches: [{ path: 'ip_range_filter' }],
    modes: ['update', 'replace'],
    find: judgeAddressFilter,
  },
  { types: ['google_bigquery_table'], watches: [{ path: 'schema' }], modes: ['update', 'replace'], find: judgeColumns },
];
