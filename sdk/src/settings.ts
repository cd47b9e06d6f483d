import { DpaUsageError } from './errors.ts';
import { BASE_PATH } from './generated/operations.ts';

/** A credential, or a function that gets one before every attempt; null for calls without a credential. */
export type TokenSource = string | (() => string | Promise<string>) | null;

/** Address and credential of the service. Missing values are read from the same environment variables as in the CLI. */
export interface ConnectionOptions {
  /** Address of the service, such as `https://dpa.example.com`; default: `DPA_URL`. */
  base_url?: string;
  /**
   * An API key (`dpa_…`), an access token, or a function that gets one; default: `DPA_TOKEN`; null for none. The client
   * sends no credential to public operations.
   */
  token?: TokenSource;
  /** Slug or ID of the default organization of calls; default: `DPA_ORG`. */
  org?: string;
}

export interface Settings {
  /** Without a trailing slash. */
  base_url: string;
  token: TokenSource;
  org: string | undefined;
}

const EXAMPLE = 'https://dpa.example.com';
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** @throws DpaUsageError with the setting that is missing */
export function readSettings(options: ConnectionOptions): Settings {
  const base_url = options.base_url ?? readVariable('DPA_URL');
  if (base_url === undefined)
    throw new DpaUsageError(`no service selected: pass base_url, such as ${EXAMPLE}, or set DPA_URL`);
  return {
    base_url: parseBaseUrl(base_url),
    token: options.token === undefined ? (readVariable('DPA_TOKEN') ?? null) : options.token,
    org: options.org ?? readVariable('DPA_ORG'),
  };
}

/**
 * Parses the address of a service.
 *
 * @returns the address without a trailing slash
 * @throws DpaUsageError that says what is wrong; it never contains a password
 */
function parseBaseUrl(text: string): string {
  const given = String(text).trim();
  if (given === '') throw new DpaUsageError(`base_url is empty; use an address such as ${EXAMPLE}`);
  if (!SCHEME.test(given)) {
    throw new DpaUsageError(`base_url has no scheme; put https:// before the host, such as ${EXAMPLE}`);
  }
  if (!URL.canParse(given)) throw new DpaUsageError(`base_url is not a URL; use an address such as ${EXAMPLE}`);
  const url = new URL(given);
  const problem = findUrlProblem(url);
  if (problem !== undefined) throw new DpaUsageError(`base_url ${problem}`);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function findUrlProblem({ protocol, username, password, search, hash, pathname }: URL): string | undefined {
  if (protocol !== 'https:' && protocol !== 'http:') {
    return `has the scheme ${protocol.slice(0, -1)}; use https or http`;
  }
  if (username !== '' || password !== '') {
    return 'contains a user name or password; remove it and pass the credential as token';
  }
  if (search !== '' || hash !== '') return 'has a query or a fragment; remove it';
  if (pathname.replace(/\/+$/, '').endsWith(BASE_PATH)) {
    return `ends in ${BASE_PATH}; remove it, because the client adds it`;
  }
  return undefined;
}

/** An empty variable counts as unset. Runtimes without `process` have no variables. */
function readVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
