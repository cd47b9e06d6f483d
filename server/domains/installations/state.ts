import { hash, randomBytes } from 'node:crypto';
import type { StateSigner } from '../../lib/state-signer.ts';

const PURPOSE = 'scm-state-v1';
const NONCE_BYTES = 24;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** How long a person may take at GitHub. */
export const STATE_MS = 10 * 60_000;

/** What a person takes to GitHub and brings back. */
export interface LinkState {
  /** Seconds since 1970. */
  exp: number;
  /**
   * Where GitHub sent the person back without a code, and they were sent again to get one: the installation that was named
   * then, null when it waits for an approval. Left out the first time.
   */
  installation_id?: number | null;
  /** Its hash alone is stored. */
  nonce: string;
  org_id: string;
  user_id: string;
}

export function newState(state: Omit<LinkState, 'exp' | 'nonce'>, now: Date): LinkState {
  const exp = Math.floor((now.getTime() + STATE_MS) / 1000);
  return { ...state, exp, nonce: randomBytes(NONCE_BYTES).toString('base64url') };
}

/** As RFC 8785 would write it: members in their order, nothing between them. */
export function signState(signer: StateSigner, { exp, installation_id, nonce, org_id, user_id }: LinkState): string {
  return signer.sign(PURPOSE, JSON.stringify({ exp, installation_id, nonce, org_id, user_id }));
}

/** @returns undefined for what was not signed here for this purpose */
export function readState(signer: StateSigner, text: string | undefined): LinkState | undefined {
  const content = text === undefined ? undefined : signer.open(PURPOSE, text);
  if (content === undefined) return undefined;
  // Whatever is signed was written above; the ids lead into queries all the same.
  const state: LinkState = JSON.parse(content);
  return UUID.test(state.org_id) && UUID.test(state.user_id) ? state : undefined;
}

export function nonceHash({ nonce }: LinkState): Buffer {
  return hash('sha256', nonce, 'buffer');
}
