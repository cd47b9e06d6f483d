import { type Client, createClient, type Schemas } from '../../sdk/src/index.ts';
import { hasCredentials } from '../../server/lib/url-credentials.ts';
import { createCiKeyProvider, findIdTokens, type IdTokens } from './ci-token.ts';
import { Failure } from './failure.ts';
import { type Login, readLogin, resolveLoginPath } from './login/file.ts';
import { createTokenSource } from './login/tokens.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface ConnectionOptions {
  /** Slug or id of the organization. */
  org?: string | undefined;
  /** Address of the service. */
  url?: string | undefined;
}

export interface Connection {
  dpa: Client;
  org_id: string;
  /** null if the ID was given, so that the service was not asked. */
  org_slug: string | null;
}

/** A service, and the credential for it. */
export interface Service {
  dpa: Client;
  url: string;
  /** Gets the access token or API key, renewed if it has expired. */
  credential: () => Promise<string>;
  /** The login that the credential comes from, if any. */
  login: Login | undefined;
}

/**
 * Opens a client of the service. Options override DPA_URL, DPA_ORG and DPA_TOKEN. Without DPA_TOKEN, a CI job exchanges its
 * own token; elsewhere the login is used, but only for the service that it was created for.
 *
 * @throws Failure with the setting that is missing
 */
export async function openService(options: ConnectionOptions): Promise<Service> {
  const given = options.url ?? readSetting('DPA_URL');
  const token = readSetting('DPA_TOKEN');
  const idTokens = findIdTokens(process.env);
  const needs_login = given === undefined || (token === undefined && idTokens === undefined);
  const login = needs_login ? await readLogin() : undefined;
  const url = given === undefined ? login?.url : parseServiceUrl(given);
  if (url === undefined) throw new Failure('no service selected: set DPA_URL or --url, or run `dpa login --url <url>`');

  const toService = (credential: () => Promise<string>, used_login?: Login): Service => {
    return { url, credential, dpa: createServiceClient(url, credential), login: used_login };
  };
  if (token !== undefined) return toService(async () => token);
  if (idTokens !== undefined)
    return toService(createCiCredential(url, options.org ?? readSetting('DPA_ORG'), idTokens));
  const matching = selectLogin(url, login);
  return toService(createTokenSource(matching), matching);
}

/**
 * Opens a client and selects the organization: the given one, else that of the login, else the only one of the user.
 *
 * @throws Failure with the setting that is missing
 */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const org = options.org ?? readSetting('DPA_ORG');
  const { dpa, url, login } = await openService(options);
  const is_default = login !== undefined && (org === undefined || org === login.org_slug);
  if (is_default && login.org_id !== null) return { dpa, org_id: login.org_id, org_slug: login.org_slug };
  if (org !== undefined && UUID.test(org)) return { dpa, org_id: org.toLowerCase(), org_slug: null };
  return { dpa, ...chooseOrg(await readMe(dpa, url), org) };
}

/** @throws Failure if the server at this address is not a dpa service */
export async function readMe(dpa: Client, url: string, signal?: AbortSignal): Promise<Schemas['Me']> {
  const me: Partial<Schemas['Me']> | undefined = await dpa.me.get({}, signal === undefined ? {} : { signal });
  if (me?.user !== undefined && Array.isArray(me.memberships)) return me as Schemas['Me'];
  throw new Failure(`the server at ${url} is not a dpa service: check DPA_URL or --url`);
}

/** @throws Failure if the text is not a valid service address */
export function parseServiceUrl(text: string): string {
  if (hasCredentials(text))
    throw new Failure('the address of the service must not contain a user name, password or token');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url !== undefined && /^https?:$/.test(url.protocol) && url.search + url.hash === '';
  if (!plain)
    throw new Failure(`"${text}" is not a valid service address: use an address such as https://dpa.example.com`);
  let { href } = url;
  while (href.endsWith('/')) href = href.slice(0, -1);
  return href;
}

export function createServiceClient(base_url: string, token?: string | (() => Promise<string>)): Client {
  return createClient({ base_url, user_agent: 'dpa-cli', token: token ?? null });
}

/**
 * Selects the organization with this slug or ID, or the only one of the user.
 *
 * @throws Failure that lists the available organizations
 */
export function chooseOrg({ user, memberships }: Schemas['Me'], org: string | undefined): Omit<Connection, 'dpa'> {
  const matching = memberships.filter(({ org_id, org_slug }) => org === undefined || [org_id, org_slug].includes(org));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return { org_id: only.org_id, org_slug: only.org_slug };
  const slugs = memberships.map(({ org_slug }) => org_slug).join(', ');
  if (slugs === '')
    throw new Failure(
      `${user.email} is not a member of any organization: run \`dpa org create <slug>\`, or ask an admin for an invitation`,
    );
  if (org === undefined) throw new Failure(`no organization selected: set DPA_ORG or --org to one of ${slugs}`);
  throw new Failure(`${user.email} is not a member of the organization "${org}"; available organizations: ${slugs}`);
}

function createCiCredential(url: string, org: string | undefined, idTokens: IdTokens): () => Promise<string> {
  if (org === undefined || !UUID.test(org)) {
    throw new Failure('without DPA_TOKEN, a CI job needs the ID of the organization (a UUID) in DPA_ORG or --org');
  }
  const audience = readSetting('DPA_AUDIENCE') ?? url;
  return createCiKeyProvider(createServiceClient(url), { org_id: org, audience, idTokens });
}

function selectLogin(url: string, login: Login | undefined): Login {
  if (login === undefined)
    throw new Failure(`no credential for ${url}: set DPA_TOKEN to an API key, or run \`dpa login\``);
  if (login.url === url) return login;
  throw new Failure(
    `${resolveLoginPath()} has a login for ${login.url}, not for ${url}: set DPA_TOKEN, or run \`dpa login --url ${url}\``,
  );
}

/** An empty variable counts as unset: CI systems set missing values to empty texts. */
export function readSetting(name: string): string | undefined {
  return process.env[name] || undefined;
}
