import { describe, expect, test } from '@jest/globals';
import { isGuardedPath } from '../../../engine/index.ts';

describe('a path that must not be suppressed in bulk', () => {
  test.each([
    ['aws_iam_policy', 'policy'],
    ['aws_security_group', 'ingress[*].cidr_blocks[*]'],
    ['azurerm_storage_account', 'min_tls_version'],
    ['aws_db_instance', 'storage_encrypted'],
    ['acme_thing', 'settings[*].allowed_principals'],
    ['acme_thing', 'ssh_keys[*]'],
    ['acme_thing', 'network.subnet_ids'],
  ])('includes %s %s', (type, attribute) => {
    expect(isGuardedPath(type, attribute)).toBe(true);
  });

  test.each([
    ['aws_instance', 'tags.Owner'],
    ['aws_cloudwatch_dashboard', 'dashboard_body'],
    ['acme_thing', 'description'],
    ['acme_thing', 'monkeys'],
  ])('does not include %s %s', (type, attribute) => {
    expect(isGuardedPath(type, attribute)).toBe(false);
  });
});
