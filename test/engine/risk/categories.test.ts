import { describe, expect, test } from '@jest/globals';
import { collectTypes, findCategories, findKind, LISTED_CATEGORIES } from '../../../engine/risk/categories.ts';

describe('the categories of a type', () => {
  test.each([
    ['aws_db_instance', ['stateful']],
    ['aws_kms_key', ['stateful', 'encryption']],
    ['azurerm_key_vault', ['stateful', 'encryption', 'security']],
    ['google_dns_managed_zone', ['stateful', 'encryption', 'network']],
    ['aws_security_group', ['security', 'network']],
    ['aws_s3_bucket_policy', ['iam', 'security']],
    ['azurerm_mysql_server', ['stateful']],
    ['aws_lambda_function', ['other']],
  ])('of %s are %j', (type, categories) => {
    expect(findCategories(type)).toEqual(categories);
  });

  test.each([
    ['kubernetes_namespace_v1', ['stateful']],
    ['kubernetes_persistent_volume_claim', ['stateful']],
    ['kubernetes_cluster_role_binding', ['iam']],
    ['kubernetes_ingress_v1', ['network']],
    ['kubernetes_service', ['network']],
    ['kubernetes_service_account', ['other']],
    ['kubernetes_network_policy', ['security']],
    ['github_repository', ['stateful']],
    ['github_repository_collaborators', ['iam']],
    ['github_repository_file', ['other']],
    ['cloudflare_record', ['network']],
    ['mongodbatlas_advanced_cluster', ['stateful']],
    ['digitalocean_database_cluster', ['stateful']],
    ['hcloud_firewall', ['network']],
    ['datadog_monitor', ['other']],
  ])('of %s, whose provider has no list, are %j', (type, categories) => {
    expect(findCategories(type)).toEqual(categories);
  });

  test('do not use the patterns of other providers for a listed provider', () => {
    expect(findCategories('aws_brand_new_database')).toEqual(['other']);
  });

  test('are other for unknown names of any form and length', () => {
    for (const type of ['', '__proto__', 'constructor', `x${'_database'.repeat(50_000)}`]) {
      expect(findCategories(type)).toEqual(['other']);
      expect(findKind(type)).toBeNull();
    }
  });

  test('are a new array on each call', () => {
    findCategories('aws_db_instance').push('iam');

    expect(findCategories('aws_db_instance')).toEqual(['stateful']);
  });

  test('come from lists that are sorted, have no duplicates and cover three providers', () => {
    for (const category of LISTED_CATEGORIES) {
      const types = collectTypes(category);
      expect(types.length).toBeGreaterThan(180);
      expect(types).toEqual([...new Set(types)].sort());
      expect(new Set(types.map((type) => type.slice(0, type.indexOf('_'))))).toEqual(
        new Set(['aws', 'azurerm', 'google']),
      );
    }
  });
});

describe('the kind of a type', () => {
  test.each([
    ['aws_kms_key', 'key'],
    ['google_kms_crypto_key', 'key'],
    ['aws_cloudhsm_v2_cluster', 'key'],
    ['aws_acmpca_certificate_authority', 'key'],
    ['google_project', 'container'],
    ['azurerm_resource_group', 'container'],
    ['kubernetes_namespace', 'container'],
    ['aws_instance', 'rebuildable'],
    ['azurerm_linux_virtual_machine_scale_set', 'rebuildable'],
    ['google_compute_region_instance_group_manager', 'rebuildable'],
    ['azurerm_virtual_machine_data_disk_attachment', 'rebuildable'],
    ['aws_sqs_queue', 'rebuildable'],
    ['aws_db_snapshot', 'rebuildable'],
    ['aws_s3_bucket_versioning', 'part'],
    ['aws_dynamodb_table_item', 'part'],
    ['aws_s3_object', 'part'],
    ['aws_db_instance', 'data'],
    ['aws_s3_bucket', 'data'],
    ['aws_secretsmanager_secret', 'data'],
    ['google_sql_database', 'data'],
    ['mongodbatlas_cluster', 'data'],
    ['openstack_blockstorage_volume_v3', 'data'],
    ['openstack_compute_instance_v2', 'rebuildable'],
    ['cloudflare_zone', 'container'],
  ])('of %s is %s', (type, kind) => {
    expect(findKind(type)).toBe(kind);
  });

  test.each([
    'aws_lb',
    'aws_iam_role',
    'aws_acm_certificate',
    'azurerm_api_management_gateway_certificate_authority',
    'null_resource',
  ])('of %s is null', (type) => {
    expect(findKind(type)).toBeNull();
  });

  test('is set for every stateful type', () => {
    for (const type of collectTypes('stateful')) expect(findKind(type)).not.toBeNull();
  });
});
