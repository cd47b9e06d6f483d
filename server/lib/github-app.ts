import { createPrivateKey } from 'node:crypto';

/** The GitHub App of a deployment, as its operator registered it. */
export interface GithubAppSettings {
  app_id: number;
  /** Identifies it in URLs: `https://github.com/apps/{slug}`. */
  slug: string;
  /** PEM, PKCS #8. */
  private_key: string;
  client_id: string;
  client_secret: string;
  webhook_secret: string;
  /** Web address of GitHub, without a trailing slash; `https://github.com` unless it is GitHub Enterprise Server. */
  web_url: string;
  /** Address of GitHub's API, without a trailing slash. */
  api_url: string;
}

/**
 * Parses the private key of an App to PKCS #8 PEM.
 *
 * @param text PEM as GitHub creates it (PKCS #1), with line breaks or `\n`, or the whole PEM in base64
 * @throws Error if it contains no RSA key
 */
export function readAppKey(text: string): string {
  const pem = text.includes('-----BEGIN') ? text.replaceAll('\\n', '\n') : Buffer.from(text, 'base64').toString();
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'rsa') throw new Error('not an RSA key');
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * `unavailable`: GitHub did not respond in time, responded with 5xx, or asks to wait. `refused`: any other response,
 * which no retry fixes, such as a used code or a deleted installation.
 */
export class GithubAppError extends Error {
  override readonly name = 'GithubAppError';
  readonly error_class: 'unavailable' | 'refused';

  /** @param message written by this service: GitHub's may echo the request */
  constructor(error_class: 'unavailable' | 'refused', message: string) {
    super(message);
    this.error_class = error_class;
  }
}
