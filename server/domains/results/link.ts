import type { StateSigner } from '../../lib/state-signer.ts';

const SIGNED_AS = 'result-link-v1';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The content of a link: its result, expiration and creator. Anyone with the link can read this; only the service can
 * create one.
 */
export interface ResultLink {
  /** Seconds since 1970. */
  exp: number;
  org_id: string;
  scan_run_id: string;
  user_id: string;
}

export function signLink(signer: StateSigner, { exp, org_id, scan_run_id, user_id }: ResultLink): string {
  return signer.sign(SIGNED_AS, JSON.stringify({ exp, org_id, scan_run_id, user_id }));
}

/** @returns undefined if the service did not sign it as a link to a result */
export function readLink(signer: StateSigner, text: string): ResultLink | undefined {
  const content = signer.open(SIGNED_AS, text);
  if (content === undefined) return undefined;
  // All signed texts were written above, but the ids are used in queries.
  const link: ResultLink = JSON.parse(content);
  return [link.org_id, link.scan_run_id, link.user_id].every((id) => UUID.test(id)) ? link : undefined;
}
