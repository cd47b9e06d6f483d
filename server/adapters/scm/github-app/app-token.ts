import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { GithubAppSettings } from '../../../lib/github-app.ts';

/** GitHub allows at most ten minutes. Starting one minute in the past allows for a clock ahead of GitHub's. */
const LIFETIME_S = 9 * 60;
const DRIFT_S = 60;

/**
 * Creates the token with which the App authenticates as itself.
 *
 * @see GitHub's documentation, "Generating a JSON Web Token (JWT) for a GitHub App"
 */
export async function appToken({ app_id, private_key }: GithubAppSettings, now: Date): Promise<string> {
  const now_s = Math.floor(now.getTime() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(String(app_id))
    .setIssuedAt(now_s - DRIFT_S)
    .setExpirationTime(now_s + LIFETIME_S)
    .sign(createPrivateKey(private_key));
}
