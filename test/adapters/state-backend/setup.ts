import { expect } from '@jest/globals';
import type { CloudCredentials } from '../../../server/adapters/cloud/types.ts';
import { createGuardedFetch } from '../../../server/adapters/egress/index.ts';
import { createStateBackend, type StateBackendDeps } from '../../../server/adapters/state-backend/index.ts';
import {
  type FetchedState,
  type StateAccess,
  StateBackendError,
  type StateLocation,
} from '../../../server/adapters/state-backend/types.ts';
import { BACKEND_TEXT } from '../../fakes/state/gcs.ts';

export const STATE = '{"version":4,"serial":7,"lineage":"a","outputs":{},"resources":[]}';
/** Part of every secret in these tests. */
export const CANARY = 'canary7f3a';
export const TOKEN = `token-${CANARY}`;
export const NOW = new Date('2026-05-01T12:00:00Z');

const GOOGLE: CloudCredentials = { credential_type: 'gcp_service_account_key', service_account_json: CANARY };
export const ACCESS: StateAccess = { credentials: GOOGLE, token_subject: 'org:1:account:2' };

/** A backend whose requests pass the real guard, with fake servers at allowed names. */
export function createTestBackend(servers: readonly { url: string }[], deps: Partial<StateBackendDeps> = {}) {
  const allowed_hosts = servers.map(({ url }) => new URL(url).host);
  return createStateBackend({
    fetch: createGuardedFetch({ allowed_hosts, resolve: async () => ['127.0.0.1'] }),
    openAwsKeys: async () => ({ accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: CANARY, sessionToken: CANARY }),
    openGoogleToken: async () => issueToken(),
    openAzureToken: async () => issueToken(),
    now: () => NOW,
    ...deps,
  });
}

export function issueToken(value = TOKEN) {
  return { value, expires_at: new Date(NOW.getTime() + 3_600_000) };
}

export type Backend = ReturnType<typeof createTestBackend>;

/** Fetches a state completely. */
export async function readAll(backend: Backend, location: StateLocation, access: StateAccess | null = ACCESS) {
  const fetched = await backend.fetch(location, access, AbortSignal.timeout(60_000));
  return { text: await readText(fetched), etag: fetched.etag };
}

export async function readText({ body }: FetchedState): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Reason and message of the error with which reading ends; fails if it contains a secret or text of the backend. */
export async function findFailure(work: Promise<unknown>): Promise<[string, string]> {
  const error = await work.then(
    () => new Error('no error'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof StateBackendError)) throw error;
  expect(error.message).not.toContain(CANARY);
  expect(error.message).not.toContain(BACKEND_TEXT);
  expect(error.message).not.toMatch(/<|Invalid Credentials|unauthorized/);
  expect(error.message).toMatch(/^[A-Z].*\.$/s);
  return [error.reason, error.message];
}
