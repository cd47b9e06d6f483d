import { join } from 'node:path';
import { createCloudError } from '../rest/fault.ts';
import type { ThrottleDeps } from '../throttle.ts';
import type { CloudAdapter, CloudCredentials } from '../types.ts';
import { openRecordedSession } from './session.ts';

export { type RecordedSummary, type RecordOptions, recordAccount } from './recorder.ts';

const SCHEME = 'fixture://';
const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

export interface RecordedDeps {
  /** Folder that contains a folder for each recorded account, which contains one for each cloud. */
  folder: string;
  throttle?: ThrottleDeps;
}

/**
 * Adds recorded accounts to a cloud: a credential in which a value is `fixture://NAME` opens the folder
 * `NAME/<provider>`. All other credentials go to the cloud. Without this wrapper, the cloud rejects such a credential.
 *
 * @see docs/recorded-accounts.md
 */
export function withRecordedAccounts(adapter: CloudAdapter, { folder, throttle }: RecordedDeps): CloudAdapter {
  return {
    ...adapter,
    open(target) {
      const name = findRecordedName(target.credentials);
      if (name === undefined) return adapter.open(target);
      return openRecordedSession(join(folder, name, adapter.provider), throttle);
    },
  };
}

/** @throws CloudError if the name could lead out of the folder */
function findRecordedName(credentials: CloudCredentials): string | undefined {
  const address = Object.values(credentials).find((value) => typeof value === 'string' && value.startsWith(SCHEME));
  if (address === undefined) return undefined;
  const name = String(address).slice(SCHEME.length);
  if (NAME.test(name)) return name;
  const message = 'The name of a recorded account has only lowercase letters, digits and hyphens.';
  throw createCloudError({ code: 'credential_error', message });
}
