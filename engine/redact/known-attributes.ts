/**
 * Attributes that contain secrets but whose name does not indicate it. Terraform before 0.15 does not mark sensitive
 * values in plans, and providers may omit the mark. The whole value of such an attribute is secret.
 */
const BY_TYPE = new Map<string, readonly string[]>([
  ['aws_ssm_parameter', ['value']],
  ['azurerm_app_configuration_key', ['value']],
  ['azurerm_key_vault_secret', ['value']],
  ['github_actions_organization_secret', ['plaintext_value', 'encrypted_value']],
  ['github_actions_secret', ['plaintext_value', 'encrypted_value']],
  ['google_kms_secret_ciphertext', ['plaintext']],
  ['google_secret_manager_secret_version', ['secret_data']],
  ['kubernetes_secret', ['data', 'binary_data', 'string_data']],
  ['kubernetes_secret_v1', ['data', 'binary_data', 'string_data']],
  ['local_sensitive_file', ['content', 'content_base64']],
  ['random_password', ['result', 'bcrypt_hash']],
  ['vault_generic_secret', ['data_json', 'data']],
  ['vault_kv_secret', ['data_json', 'data']],
  ['vault_kv_secret_v2', ['data_json', 'data']],
]);

const ANYWHERE = new Set([
  'account_key',
  'admin_key',
  'client_key',
  'kube_admin_config',
  'kube_admin_config_raw',
  'kube_config',
  'kube_config_raw',
  'master_key',
  'primary_access_key',
  'primary_key',
  'primary_master_key',
  'primary_shared_access_key',
  'secondary_access_key',
  'secondary_key',
  'secondary_master_key',
  'secondary_shared_access_key',
  'shared_access_key',
]);

const NONE: readonly string[] = [];

/** Top-level attributes of a type whose values are secrets. */
export function listSecretAttributes(type: string): readonly string[] {
  return BY_TYPE.get(type) ?? NONE;
}

/** Whether the attribute at a path is known to hold a secret. */
export function isSecretAttribute(type: string, segments: readonly (string | number)[]): boolean {
  const first = segments[0];
  if (typeof first === 'string' && BY_TYPE.get(type)?.includes(first)) return true;
  return segments.some((segment) => typeof segment === 'string' && isSecretKey(segment));
}

/** Whether an attribute of this name is secret in every type. */
export function isSecretKey(name: string): boolean {
  return ANYWHERE.has(name);
}
