import { DpaUsageError } from './errors.ts';
import { BASE_PATH } from './generated/operations.ts';

/** What gets the credential of a call, asked before every try; null when calls carry none. */
export type TokenSource = string | (() => string | Promise<string>) | null;

/** Where the service is and who asks; what is left out is read from the environment, under the names that the CLI has. */
export interface ConnectionOptions {
  /** Where the service is, such as `https://dpa.example.com`; `DPA_URL` unless given. */
  base_url?: string;
  /**
   * An API key (`dpa_…`) or an access token, or what gets one; `DPA_TOKEN` unless given, and null for none. Operations
   * that need no credential get none.
   */
  token?: TokenSource;
  /** Slug or id of the organization that calls are about when they name none; `DPA_ORG` unless given. */
  org?: string;
}

export interface Settings {
  /** Without a slash at its end. */
  base_url: string;
  token: TokenSource;
  org: string | undefined;
}

const EXAMPLE = 'https://dpa.example.com';
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** @throws DpaUsageError that says what to set */
export function readSettings(options: ConnectionOptions): Settings {
  const base_url = options.base_url ?? readVariable('DPA_URL');
  if (base_url === undefined)
    throw new DpaUsageError(`which service? Pass base_url, such as ${EXAMPLE}, or set DPA_URL`);
  return {
    base_url: parseBaseUrl(base_url),
    token: options.token === undefined ? (readVariable('DPA_TOKEN') ?? null) : options.token,
    org: options.org ?? readVariable('DPA_ORG'),
  };
}

/**
 * The address of a service, without a slash at its end.
 *
 * @throws DpaUsageError that says what is wrong with it; it never repeats a password
 */
function parseBaseUrl(text: string): string {
  const given = String(text).trim();
  if (given === '') throw new DpaUsageError(`base_url is empty; it looks like ${EXAMPLE}`);
  if (!SCHEME.test(given)) {
    throw new DpaUsageError(`base_url has no scheme; write https:// before the host, such as ${EXAMPLE}`);
  }
  if (!URL.canParse(given)) throw new DpaUsageError(`base_url is not a URL; it looks like ${EXAMPLE}`);
  const url = new URL(given);
  const problem = findUrlProblem(url);
  if (problem !== undefined) throw new DpaUsageError(`base_url ${problem}`);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function findUrlProblem({ protocol, username, password, search, hash, pathname }: URL): string | undefined {
  if (protocol !== 'https:' && protocol !== 'http:') {
    return `has the scheme ${protocol.slice(0, -1)}; only https and http can be called`;
  }
  if (username !== '' || password !== '') {
    return 'carries a user name or password; remove it and pass the credential as token';
  }
  if (search !== '' || hash !== '') return 'has a query or a fragment; end it with the host or the path of the service';
  if (pathname.replace(/\/+$/, '').endsWith(BASE_PATH)) {
    return `ends in ${BASE_PATH}; leave that out, the client adds it`;
  }
  return undefined;
}

/** Empty counts as unset, as CI leaves variables. Runtimes without `process` have none. */
function readVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
