/** Every rule that is code, by area. */
import { ATTACHMENT_RULES } from './attachments.ts';
import { DATABASE_FIREWALL_RULES } from './database-firewall.ts';
import { AWS_IAM_RULES } from './iam-aws.ts';
import { AZURE_IAM_RULES } from './iam-azure.ts';
import { GOOGLE_IAM_RULES } from './iam-google.ts';
import { AWS_NETWORK_RULES } from './network-aws.ts';
import { AZURE_NETWORK_RULES } from './network-azure.ts';
import { GOOGLE_NETWORK_RULES } from './network-google.ts';
import { ROUTE_RULES } from './routes.ts';
import type { Rule } from './types.ts';

export const CODE_RULES: readonly Rule[] = [
  ...AWS_NETWORK_RULES,
  ...AZURE_NETWORK_RULES,
  ...GOOGLE_NETWORK_RULES,
  ...DATABASE_FIREWALL_RULES,
  ...ROUTE_RULES,
  ...AWS_IAM_RULES,
  ...ATTACHMENT_RULES,
  ...GOOGLE_IAM_RULES,
  ...AZURE_IAM_RULES,
];
