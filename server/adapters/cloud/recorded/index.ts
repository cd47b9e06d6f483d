import { join } from 'node:path';
import { createCloudError } from '../rest/fault.ts';
import type { ThrottleDeps } from '../throttle.ts';
import type { CloudAdapter, CloudCredentials } from '../types.ts';
import { openRecordedSession } from './session.ts';

export { type RecordedSummary, type RecordOptions, recordAccount } from './recorder.ts';

const SCHEME = 'fixture://';
const TURNED_OFF =
  'Recorded accounts are turned off. An operator can turn them on with RECORDED_ACCOUNTS, except in production.';
const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

export interface RecordedDeps {
  /** Folder that contains a folder for each recorded account, which contains one for each cloud; null if they are off. */
  folder: string | null;
  throttle?: ThrottleDeps;
}

/**
 * Adds recorded accounts to a cloud: a credential in which a value is `fixture://NAME` opens the folder
 * `NAME/<provider>`. All other credentials go to the cloud.
 *
 * @see docs/recorded-accounts.md
 */
export function withRecordedAccounts(adapter: CloudAdapter, { folder, throttle }: RecordedDeps): CloudAdapter {
  return {
    ...adapter,
    open(target) {
      const name = findRecordedName(target.credentials);
      if (name === undefined) return adapter.open(target);
      if (folder === null) throw createCloudError({ code: 'credential_error', message: TURNED_OFF });
      return openRecordedSession(join(folder, name, adapter.provider), { ...throttle, regions: target.regions });
    },
  };
}

/** @throws CloudError if the name could lead out of the folder */
function findRecordedName(credentials: CloudCredentials): string | undefined {
  const address = listValues(credentials).find((value) => typeof value === 'string' && value.startsWith(SCHEME));
  if (address === undefined) return undefined;
  const name = String(address).slice(SCHEME.length);
  if (NAME.test(name)) return name;
  const message = 'The name of a recorded account has only lowercase letters, digits and hyphens.';
  throw createCloudError({ code: 'credential_error', message });
}

/** Key files of Google Cloud are JSON in a text. */
function listValues(credentials: CloudCredentials): unknown[] {
  if (credentials.credential_type !== 'gcp_service_account_key') return Object.values(credentials);
  return Object.values(JSON.parse(credentials.service_account_json));
}
