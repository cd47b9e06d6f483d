import type { SealedColumn } from '../db/index.ts';
import { SEALED_CHAT } from '../domains/chat/index.ts';
import { SEALED_BUCKET_KEYS } from '../domains/checkpoints/index.ts';
import { SEALED_CLOUD_CREDENTIALS } from '../domains/cloud-accounts/index.ts';
import { SEALED_INSTALLATION_KEYS } from '../domains/installations/index.ts';
import { SEALED_ACCOUNTS } from '../domains/llm/index.ts';
import { SEALED_NOTIFICATIONS } from '../domains/notifications/index.ts';
import { SEALED_NOISE_KEYS } from '../domains/orgs/index.ts';
import { SEALED_LISTINGS, SEALED_PROPERTIES } from '../domains/resources/index.ts';
import { SEALED_STATE_CONFIGS } from '../domains/state-sources/index.ts';
import { SEALED_WEBHOOKS } from '../domains/webhooks/index.ts';

/**
 * All columns of encrypted records. `dpa keys rotate` encrypts them again, and no other column can be encrypted. The
 * service does not start if a domain declares one that is not listed here.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_NOISE_KEYS,
  SEALED_ACCOUNTS,
  ...SEALED_WEBHOOKS,
  ...SEALED_NOTIFICATIONS,
  SEALED_INSTALLATION_KEYS,
  ...SEALED_CHAT,
  SEALED_CLOUD_CREDENTIALS,
  SEALED_STATE_CONFIGS,
  SEALED_PROPERTIES,
  SEALED_LISTINGS,
  SEALED_BUCKET_KEYS,
];
