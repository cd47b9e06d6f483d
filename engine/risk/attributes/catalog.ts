/** Every rule that is code, by area. */
import { ATTACHMENT_RULES } from './attachments.ts';
import { COMPUTE_RULES } from './compute.ts';
import { CUSTOM_ROLE_RULES } from './custom-roles.ts';
import { CUTOFF_RULES } from './cutoff.ts';
import { DATABASE_RULES } from './database.ts';
import { DATABASE_FIREWALL_RULES } from './database-firewall.ts';
import { DNS_RULES } from './dns.ts';
import { EDGE_RULES } from './edge.ts';
import { FEDERATION_RULES } from './federation.ts';
import { GENERIC_RULES } from './generic.ts';
import { GUARD_RULES } from './guards.ts';
import { AWS_IAM_RULES } from './iam-aws.ts';
import { AZURE_IAM_RULES } from './iam-azure.ts';
import { GOOGLE_IAM_RULES } from './iam-google.ts';
import { GOOGLE_LIST_RULES } from './iam-google-lists.ts';
import { KUBERNETES_RULES } from './kubernetes.ts';
import { POD_RULES } from './kubernetes-pods.ts';
import { LOG_SCOPE_RULES } from './log-scope.ts';
import { AWS_NETWORK_RULES } from './network-aws.ts';
import { AZURE_NETWORK_RULES } from './network-azure.ts';
import { AZURE_FIREWALL_RULES } from './network-azure-firewall.ts';
import { GOOGLE_NETWORK_RULES } from './network-google.ts';
import { OTHER_NETWORK_RULES } from './network-others.ts';
import { PRINCIPAL_RULES } from './principals.ts';
import { QUEUE_RULES } from './queue-encryption.ts';
import { ROUTE_RULES } from './routes.ts';
import { SIGNED_CONTENT_RULES } from './signed-content.ts';
import { STORAGE_RULES } from './storage.ts';
import { TLS_RULES } from './tls.ts';
import type { Rule } from './types.ts';
import { VAULT_RULES } from './vault.ts';
import { WAF_RULES } from './waf.ts';

export const CODE_RULES: readonly Rule[] = [
  ...AWS_NETWORK_RULES,
  ...AZURE_NETWORK_RULES,
  ...AZURE_FIREWALL_RULES,
  ...GOOGLE_NETWORK_RULES,
  ...OTHER_NETWORK_RULES,
  ...DATABASE_FIREWALL_RULES,
  ...ROUTE_RULES,
  ...AWS_IAM_RULES,
  ...ATTACHMENT_RULES,
  ...PRINCIPAL_RULES,
  ...GOOGLE_IAM_RULES,
  ...GOOGLE_LIST_RULES,
  ...AZURE_IAM_RULES,
  ...FEDERATION_RULES,
  ...CUSTOM_ROLE_RULES,
  ...STORAGE_RULES,
  ...DATABASE_RULES,
  ...TLS_RULES,
  ...DNS_RULES,
  ...LOG_SCOPE_RULES,
  ...WAF_RULES,
  ...SIGNED_CONTENT_RULES,
  ...COMPUTE_RULES,
  ...KUBERNETES_RULES,
  ...POD_RULES,
  ...EDGE_RULES,
  ...VAULT_RULES,
  ...GUARD_RULES,
  ...QUEUE_RULES,
  ...CUTOFF_RULES,
  ...GENERIC_RULES,
];
