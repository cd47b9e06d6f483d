import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

const PG = 'aws_db_parameter_group';
const parameter = (name: string, value: string) => ({ parameter: [{ name, value, apply_method: 'immediate' }] });
const flag = (name: string, value: string) => ({ settings: [{ database_flags: [{ name, value }] }] });

describe('parameters of databases', () => {
  testLevels([
    [PG, parameter('rds.force_ssl', '1'), parameter('rds.force_ssl', '0'), 'high'],
    [PG, parameter('rds.force_ssl', '0'), parameter('rds.force_ssl', '1'), 'low'],
    [PG, parameter('statement_timeout', '30000'), parameter('statement_timeout', '30'), 'high', 'R-VAL-PARAMETER'],
    [PG, parameter('statement_timeout', '30000'), parameter('statement_timeout', '25000'), 'low'],
    [
      PG,
      parameter('shared_preload_libraries', 'pg_stat_statements,pgaudit'),
      parameter('shared_preload_libraries', 'pg_stat_statements'),
      'high',
      'R-VAL-PARAMETER',
    ],
    [
      PG,
      parameter('shared_preload_libraries', 'pgaudit'),
      parameter('shared_preload_libraries', 'pgaudit,pg_cron'),
      'low',
    ],
    [
      PG,
      parameter('innodb_flush_log_at_trx_commit', '1'),
      parameter('innodb_flush_log_at_trx_commit', '2'),
      'medium',
      'R-VAL-PARAMETER',
    ],
    [PG, parameter('work_mem', '4096'), parameter('work_mem', '8192'), 'low'],
    [
      'azurerm_postgresql_flexible_server_configuration',
      { name: 'require_secure_transport', value: 'on' },
      { name: 'require_secure_transport', value: 'off' },
      'high',
    ],
    [
      'google_sql_database_instance',
      flag('pgaudit.log', 'all'),
      flag('pgaudit.log', 'none'),
      'high',
      'R-VAL-PARAMETER',
    ],
    [
      'acme_topic',
      { config: { 'unclean.leader.election.enable': 'false' } },
      { config: { 'unclean.leader.election.enable': 'true' } },
      'high',
      'R-VAL-PARAMETER',
    ],
    [
      'acme_topic',
      { config: { 'unclean.leader.election.enable': 'true' } },
      { config: { 'unclean.leader.election.enable': 'false' } },
      'low',
    ],
  ]);
});
