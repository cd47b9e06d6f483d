import { createPrivateKey } from 'node:crypto';

/** The GitHub App of a deployment, as its operator registered it. */
export interface GithubAppSettings {
  app_id: number;
  /** Names it in addresses: `https://github.com/apps/{slug}`. */
  slug: string;
  /** PEM, PKCS #8. */
  private_key: string;
  client_id: string;
  client_secret: string;
  webhook_secret: string;
  /** Where people see GitHub, without a slash at its end; `https://github.com` unless it is a server of their own. */
  web_url: string;
  /** Where programs do, without a slash at its end. */
  api_url: string;
}

/**
 * The private key of an App as PKCS #8 PEM.
 *
 * @param text PEM as GitHub gives it (PKCS #1), its line breaks perhaps written as `\n`, or all of it in base64
 * @throws Error when it holds no RSA key
 */
export function readAppKey(text: string): string {
  const pem = text.includes('-----BEGIN') ? text.replaceAll('\\n', '\n') : Buffer.from(text, 'base64').toString();
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'rsa') throw new Error('not an RSA key');
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * `unavailable`: GitHub did not answer in time, answered 5xx, or asks to wait. `refused`: any other answer, which no retry
 * mends; a code that was used, an installation that is there no more.
 */
export class GithubAppError extends Error {
  override readonly name = 'GithubAppError';
  readonly error_class: 'unavailable' | 'refused';

  /** @param message in our words alone: GitHub's may echo what was sent */
  constructor(error_class: 'unavailable' | 'refused', message: string) {
    super(message);
    this.error_class = error_class;
  }
}
