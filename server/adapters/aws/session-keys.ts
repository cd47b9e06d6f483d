import type { AwsKeys } from './client-options.ts';

/** The shortest lifetime that STS offers, because nothing revokes such keys. */
export const ROLE_LIFETIME_S = 900;
/** Keys that expire soon are not used for new calls. */
const MARGIN_MS = 60_000;

/** Keys that STS has issued; `ends_at` is their expiry in milliseconds since 1970. */
export interface SessionKeys {
  keys: AwsKeys;
  ends_at: number;
}

interface IssuedCredentials {
  AccessKeyId?: string | undefined;
  SecretAccessKey?: string | undefined;
  SessionToken?: string | undefined;
  Expiration?: Date | undefined;
}

/** @throws Error if the response of STS lacks a member */
export function readSessionKeys(given: IssuedCredentials | undefined): SessionKeys {
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = given ?? {};
  if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration) throw new Error('STS gave no keys');
  return {
    keys: { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken },
    ends_at: Expiration.getTime(),
  };
}

export function isFresh({ ends_at }: SessionKeys, now: Date): boolean {
  return now.getTime() < ends_at - MARGIN_MS;
}
