import type { SealedColumn } from '../db/index.ts';
import { SEALED_INSTALLATION_KEYS } from '../domains/installations/index.ts';
import { SEALED_ACCOUNTS } from '../domains/llm/index.ts';
import { SEALED_NOISE_KEYS } from '../domains/orgs/index.ts';
import { SEALED_WEBHOOKS } from '../domains/webhooks/index.ts';

/**
 * Every column of encrypted records: `dpa keys rotate` goes through these, and nothing can be encrypted into another. The
 * service does not start when a domain declares one that is not listed here.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_NOISE_KEYS,
  SEALED_ACCOUNTS,
  ...SEALED_WEBHOOKS,
  SEALED_INSTALLATION_KEYS,
];
