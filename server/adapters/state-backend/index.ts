import { lazy } from '../../lib/lazy.ts';
import type { GuardedFetch } from '../egress/index.ts';
import type { AzureBlobDeps } from './azure-blob.ts';
import { longestFetchMs } from './deadline.ts';
import type { GcsDeps } from './gcs.ts';
import { assertFolderNames, assertNames } from './location-check.ts';
import type { S3Deps } from './s3.ts';
import type { TransferOptions } from './transfer.ts';
import { type StateAccess, type StateBackend, StateBackendError } from './types.ts';

export { createLocationCheck } from './location-check.ts';

/** Largest state in bytes unless the operator sets another limit. */
export const DEFAULT_MAX_STATE_BYTES = 268_435_456;
/** Longest fetch of such a state, in milliseconds. */
export const DEFAULT_FETCH_TIMEOUT_MS = longestFetchMs(DEFAULT_MAX_STATE_BYTES);

type Options = 'fetch' | 'max_bytes' | 'response_ms' | 'wait' | 'now';

export interface StateBackendDeps extends Omit<S3Deps, Options>, Omit<GcsDeps, Options>, Omit<AzureBlobDeps, Options> {
  /** The only way to the outside: checks each address and dials exactly the checked one. */
  fetch: GuardedFetch;
  /** Largest state; 256 MiB unless given. */
  max_bytes?: number | undefined;
  /** Time until a response begins, redirects and tokens included; 30 seconds unless given. */
  response_ms?: number | undefined;
  /** Replaces waiting, for tests. */
  wait?: TransferOptions['wait'];
  now: () => Date;
}

/** Reads states wherever they are stored. The code of a backend is loaded when it is used first. */
export function createStateBackend(deps: StateBackendDeps): StateBackend {
  const options = { ...deps, max_bytes: deps.max_bytes ?? DEFAULT_MAX_STATE_BYTES };
  const gcs = lazy(async () => (await import('./gcs.ts')).createGcs(options));
  const azure = lazy(async () => (await import('./azure-blob.ts')).createAzureBlob(options));

  return {
    fetch_timeout_ms: longestFetchMs(options.max_bytes),
    async fetch(location, access, signal) {
      assertNames(location);
      switch (location.kind) {
        case 'tfc':
          return (await import('./tfc.ts')).fetchFromTfc(options, location, signal);
        case 's3':
          return (await import('./s3.ts')).fetchFromS3(options, location, { access: need(access, 'AWS'), signal });
        case 'gcs':
          return (await gcs()).fetch(location, need(access, 'Google Cloud'), signal);
        case 'azure_blob':
          return (await azure()).fetch(location, need(access, 'Azure'), signal);
      }
    },
    async list(folder, access, request) {
      assertFolderNames(folder);
      switch (folder.provider) {
        case 'aws':
          return (await import('./s3.ts')).listInS3(options, folder, { access, ...request });
        case 'gcp':
          return (await gcs()).list(folder, access, request);
        case 'azure':
          return (await azure()).list(folder, access, request);
      }
    },
  };
}

/** Buckets are never read with the identity of this service itself. */
function need(access: StateAccess | null, cloud: string): StateAccess {
  if (access !== null) return access;
  const message = `This state needs a cloud account of ${cloud}. Connect one, and select it in the state source.`;
  throw new StateBackendError('credential_rejected', message);
}
