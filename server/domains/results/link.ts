import type { StateSigner } from '../../lib/state-signer.ts';

const SIGNED_AS = 'result-link-v1';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a link opens, until when, and who made it. Whoever has the link can read this; nobody else can make one. */
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

/** @returns undefined for what was not signed here as a link to a result */
export function readLink(signer: StateSigner, text: string): ResultLink | undefined {
  const content = signer.open(SIGNED_AS, text);
  if (content === undefined) return undefined;
  // Whatever is signed was written above; the ids lead into queries all the same.
  const link: ResultLink = JSON.parse(content);
  return [link.org_id, link.scan_run_id, link.user_id].every((id) => UUID.test(id)) ? link : undefined;
}
