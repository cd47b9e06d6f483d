/** Every rule that is implemented in code, by area. */

import { GENERIC_RULES } from './generic.ts';
import { ATTACHMENT_RULES } from './identity/attachments.ts';
import { CLAIM_RULES } from './identity/claims.ts';
import { CUSTOM_ROLE_RULES } from './identity/custom-roles.ts';
import { EVERYONE_RULES } from './identity/everyone.ts';
import { FEDERATION_RULES } from './identity/federation.ts';
import { GRANT_CONDITION_RULES } from './identity/grant-conditions.ts';
import { AWS_IAM_RULES } from './identity/iam-aws.ts';
import { AZURE_IAM_RULES } from './identity/iam-azure.ts';
import { GOOGLE_IAM_RULES } from './identity/iam-google.ts';
import { GOOGLE_LIST_RULES } from './identity/iam-google-lists.ts';
import { PRINCIPAL_RULES } from './identity/principals.ts';
import { RELAYED_GRANT_RULES } from './identity/relayed-grants.ts';
import { VAULT_RULES } from './identity/vault.ts';
import { CUTOFF_RULES } from './network/cutoff.ts';
import { DATABASE_FIREWALL_RULES } from './network/database-firewall.ts';
import { DNS_RULES } from './network/dns.ts';
import { EDGE_RULES } from './network/edge.ts';
import { FILTER_LIST_RULES } from './network/filter-lists.ts';
import { INNER_ORDER_RULES } from './network/inner-order.ts';
import { MATCHED_BLOCK_RULES } from './network/matched-blocks.ts';
import { AWS_NETWORK_RULES } from './network/network-aws.ts';
import { AZURE_NETWORK_RULES } from './network/network-azure.ts';
import { AZURE_FIREWALL_RULES } from './network/network-azure-firewall.ts';
import { GOOGLE_NETWORK_RULES } from './network/network-google.ts';
import { OTHER_NETWORK_RULES } from './network/network-others.ts';
import { ROUTE_RULES } from './network/routes.ts';
import { SIBLING_RULES } from './network/siblings.ts';
import { TLS_RULES } from './network/tls.ts';
import { WAF_RULES } from './network/waf.ts';
import { APPROVAL_STAGE_RULES } from './protection/approval-stages.ts';
import { GUARD_RULES } from './protection/guards.ts';
import { LOG_SCOPE_RULES } from './protection/log-scope.ts';
import { SILENCE_RULES } from './protection/silence.ts';
import { TRAIL_SELECTOR_RULES } from './protection/trail-selectors.ts';
import { FIT_RULES } from './relations/fitting.ts';
import { NEED_RULES } from './relations/needing.ts';
import { CACHED_CONTENT_RULES } from './storage/cached-content.ts';
import { DATABASE_RULES } from './storage/database.ts';
import { IMAGE_EXPIRY_RULES } from './storage/image-expiry.ts';
import { QUEUE_RULES } from './storage/queue-encryption.ts';
import { SIGNED_CONTENT_RULES } from './storage/signed-content.ts';
import { STORAGE_RULES } from './storage/storage.ts';
import type { Rule } from './types.ts';
import { CLUSTER_POLICY_RULES } from './workloads/cluster-policies.ts';
import { COMPUTE_RULES } from './workloads/compute.ts';
import { FIRST_MATCH_RULES } from './workloads/first-match.ts';
import { KUBERNETES_RULES } from './workloads/kubernetes.ts';
import { KUBERNETES_LABEL_RULES } from './workloads/kubernetes-labels.ts';
import { POD_RULES } from './workloads/kubernetes-pods.ts';

export const CODE_RULES: readonly Rule[] = [
  ...AWS_NETWORK_RULES,
  ...AZURE_NETWORK_RULES,
  ...AZURE_FIREWALL_RULES,
  ...GOOGLE_NETWORK_RULES,
  ...OTHER_NETWORK_RULES,
  ...DATABASE_FIREWALL_RULES,
  ...MATCHED_BLOCK_RULES,
  ...ROUTE_RULES,
  ...SIBLING_RULES,
  ...INNER_ORDER_RULES,
  ...AWS_IAM_RULES,
  ...ATTACHMENT_RULES,
  ...PRINCIPAL_RULES,
  ...RELAYED_GRANT_RULES,
  ...EVERYONE_RULES,
  ...GOOGLE_IAM_RULES,
  ...GOOGLE_LIST_RULES,
  ...AZURE_IAM_RULES,
  ...FEDERATION_RULES,
  ...CLAIM_RULES,
  ...GRANT_CONDITION_RULES,
  ...CUSTOM_ROLE_RULES,
  ...STORAGE_RULES,
  ...DATABASE_RULES,
  ...TLS_RULES,
  ...DNS_RULES,
  ...LOG_SCOPE_RULES,
  ...TRAIL_SELECTOR_RULES,
  ...SILENCE_RULES,
  ...WAF_RULES,
  ...FILTER_LIST_RULES,
  ...SIGNED_CONTENT_RULES,
  ...CACHED_CONTENT_RULES,
  ...COMPUTE_RULES,
  ...IMAGE_EXPIRY_RULES,
  ...KUBERNETES_RULES,
  ...KUBERNETES_LABEL_RULES,
  ...POD_RULES,
  ...CLUSTER_POLICY_RULES,
  ...FIRST_MATCH_RULES,
  ...EDGE_RULES,
  ...VAULT_RULES,
  ...GUARD_RULES,
  ...APPROVAL_STAGE_RULES,
  ...QUEUE_RULES,
  ...CUTOFF_RULES,
  ...FIT_RULES,
  ...NEED_RULES,
  ...GENERIC_RULES,
];
