import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { judge } from './judging.ts';

type Case = [type: string, safe: JsonObject, dangerous: JsonObject, level: string];

const CASES: Case[] = [
  ['aws_redshift_cluster', { encrypted: true }, { encrypted: false }, 'critical'],
  ['aws_ssm_parameter', { type: 'SecureString' }, { type: 'String' }, 'high'],
  ['aws_ebs_snapshot_block_public_access', { state: 'block-all-sharing' }, { state: 'unblocked' }, 'high'],
  ['aws_ec2_instance_metadata_defaults', { http_tokens: 'required' }, { http_tokens: 'optional' }, 'high'],
  ['aws_transfer_server', { endpoint_type: 'VPC' }, { endpoint_type: 'PUBLIC' }, 'high'],
  ['aws_elasticache_user', { no_password_required: false }, { no_password_required: true }, 'high'],
  [
    'aws_msk_cluster',
    { broker_node_group_info: [{ connectivity_info: [{ public_access: [{ type: 'DISABLED' }] }] }] },
    { broker_node_group_info: [{ connectivity_info: [{ public_access: [{ type: 'SERVICE_PROVIDED_EIPS' }] }] }] },
    'high',
  ],
  [
    'aws_cognito_user_pool',
    { admin_create_user_config: [{ allow_admin_create_user_only: true }] },
    { admin_create_user_config: [{ allow_admin_create_user_only: false }] },
    'high',
  ],
  [
    'google_storage_bucket_acl',
    { role_entity: ['OWNER:user-a'] },
    { role_entity: ['OWNER:user-a', 'READER:allUsers'] },
    'high',
  ],
  [
    'google_bigquery_dataset_access',
    { special_group: 'projectOwners' },
    { special_group: 'allAuthenticatedUsers' },
    'critical',
  ],
  [
    'google_container_cluster',
    { private_cluster_config: [{ enable_private_nodes: true }] },
    { private_cluster_config: [{ enable_private_nodes: false }] },
    'high',
  ],
  ['azurerm_windows_web_app', { auth_settings_v2: [{ auth_enabled: true }] }, { auth_settings_v2: [] }, 'high'],
  ['azurerm_linux_function_app', { client_certificate_enabled: true }, { client_certificate_enabled: false }, 'high'],
  [
    'azurerm_key_vault',
    { access_policy: [{ object_id: 'a', secret_permissions: ['List'] }] },
    { access_policy: [{ object_id: 'a', secret_permissions: ['List', 'Get'] }] },
    'high',
  ],
];

describe('settings of accounts and services', () => {
  test.each(CASES)(
    '%s: changing %j to %j is reported, and the reverse change is not',
    (type, safe, dangerous, level) => {
      expect(Object.values(judge('update', type, { before: safe, after: dangerous }))).toContain(level);
      expect(judge('update', type, { before: dangerous, after: safe })).toEqual({});
      expect(judge('update', type, { before: dangerous, after: { ...dangerous, tags: { a: 'b' } } })).toEqual({});
    },
  );

  test('replacing the name servers of a registered domain is high, and adding one is not reported', () => {
    const domain = (...names: string[]) => ({ name_server: names.map((name) => ({ name })) });
    const type = 'aws_route53domains_registered_domain';
    const moved = { before: domain('ns-1.example', 'ns-2.example'), after: domain('ns.evil.example') };
    expect(Object.values(judge('update', type, moved))).toEqual(['high']);
    const grown = { before: domain('ns-1.example'), after: domain('ns-1.example', 'ns-2.example') };
    expect(judge('update', type, grown)).toEqual({});
  });

  test('a method without authorization is critical for POST and not reported for OPTIONS', () => {
    const method = (http_method: string, authorization: string) => ({ http_method, authorization });
    const type = 'aws_api_gateway_method';
    const opened = (verb: string) => ({ before: method(verb, 'AWS_IAM'), after: method(verb, 'NONE') });
    expect(judge('update', type, opened('POST'))).toEqual({ 'R-IAM-TRUST': 'critical' });
    expect(judge('update', type, opened('OPTIONS'))).toEqual({});
  });

  test('a list of token policies is not a secret', () => {
    const after = { token_policies: ['application'], token_ttl: '3600', token_bound_cidrs: ['10.0.0.0/8'] };
    expect(judge('create', 'vault_approle_auth_backend_role', { after })).toEqual({});
  });
});
