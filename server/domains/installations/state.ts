import { hash, randomBytes } from 'node:crypto';
import type { StateSigner } from '../../lib/state-signer.ts';

/**
 * `scm` and `chat`: sent to GitHub or Slack, and back. `scm_confirm` and `chat_confirm`: in the form of a confirmation
 * page.
 */
export type StatePurpose = 'scm' | 'scm_confirm' | 'chat' | 'chat_confirm';

const SIGNED_AS: Record<StatePurpose, string> = {
  scm: 'scm-state-v1',
  scm_confirm: 'scm-confirm-v1',
  chat: 'chat-state-v1',
  chat_confirm: 'chat-confirm-v1',
};
const NONCE_BYTES = 24;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** How long a person can take at GitHub, and again to confirm. */
const STATE_MS = 10 * 60_000;

/** The organization and the requester of a link to GitHub or Slack. Works once. */
export interface LinkState {
  /** Seconds since 1970. */
  exp: number;
  /**
   * The installation that GitHub named when it sent the person back without a code, before they were sent to GitHub
   * again. Absent the first time.
   */
  installation_id?: number;
  /** Only its hash is stored. */
  nonce: string;
  org_id: string;
  user_id: string;
}

export function newState(state: Omit<LinkState, 'exp' | 'nonce'>, now: Date): LinkState {
  const exp = Math.floor((now.getTime() + STATE_MS) / 1000);
  return { ...state, exp, nonce: randomText() };
}

/** As RFC 8785 specifies: members in order, without white space. */
export function signState(
  signer: StateSigner,
  purpose: StatePurpose,
  { exp, installation_id, nonce, org_id, user_id }: LinkState,
): string {
  return signer.sign(SIGNED_AS[purpose], JSON.stringify({ exp, installation_id, nonce, org_id, user_id }));
}

/** @returns undefined if this service did not sign it for this purpose */
export function readState(signer: StateSigner, purpose: StatePurpose, text: string | undefined): LinkState | undefined {
  const content = text === undefined ? undefined : signer.open(SIGNED_AS[purpose], text);
  if (content === undefined) return undefined;
  // All signed texts were written above, but the ids are used in queries.
  const state: LinkState = JSON.parse(content);
  return UUID.test(state.org_id) && UUID.test(state.user_id) ? state : undefined;
}

/** An unguessable text. */
export function randomText(): string {
  return randomBytes(NONCE_BYTES).toString('base64url');
}

export function hashText(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
