import { isObject } from '../../lib/is-object.ts';
import { parseUrl } from '../../lib/parse-url.ts';
import { readRetryAfter } from '../../lib/retry-after.ts';
import { accessDenied, notAllowed, type Place, throttled, unreachable, unusable } from './faults.ts';
import { parseJsonObject } from './json.ts';
import { getTfcOrigin } from './location-check.ts';
import { startTransfer, type Transfer, type TransferOptions, toStateBody, transferring } from './transfer.ts';
import { type FetchedState, StateBackendError, type StateLocation } from './types.ts';

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const WORKSPACE_ID = /^ws-[A-Za-z0-9]{1,64}$/;
const SERVICE = 'HCP Terraform';

export interface TfcDeps extends TransferOptions {
  now: () => Date;
}

type TfcLocation = Extract<StateLocation, { kind: 'tfc' }>;

/** A connection to one server, whose token no other server gets. */
interface Server {
  origin: string;
  token: string;
  transfer: Transfer;
  now: Date;
}

/**
 * Reads the current state of a workspace of HCP Terraform or Terraform Enterprise.
 *
 * @throws StateBackendError
 * @see HCP Terraform API: Show workspace; State versions, Fetch the current state version for a workspace
 */
export async function fetchFromTfc(deps: TfcDeps, location: TfcLocation, signal: AbortSignal): Promise<FetchedState> {
  const { endpoint, workspace, token } = location;
  const origin = getTfcOrigin(endpoint);
  const place: Place = { service: toServiceName(origin), name: `the state of the workspace "${workspace}"` };
  const transfer = startTransfer(deps, place, signal);
  const server: Server = { origin, token, transfer, now: deps.now() };
  return transferring(transfer, async () => {
    const id = WORKSPACE_ID.test(workspace) ? workspace : await findWorkspaceId(server, workspace);
    const { url, version } = await findStateVersion(server, id, workspace);
    const response = await follow(server, url, {});
    if (response.status === 404) throw downloadEnded(place);
    if (response.status !== 200) throw toFailure(server, response);
    return { body: transfer.readState(toStateBody(response)), etag: version };
  });
}

function toServiceName(origin: string): string {
  const { host } = new URL(origin);
  return host === 'app.terraform.io' ? SERVICE : `Terraform Enterprise at ${host}`;
}

async function findWorkspaceId(server: Server, workspace: string): Promise<string> {
  const [organization = '', name = ''] = workspace.split('/');
  const path = `/organizations/${encodeURIComponent(organization)}`;
  const found = await findData(server, `${path}/workspaces/${encodeURIComponent(name)}`);
  if (found === undefined) throw workspaceMissing({ organization, name }, await findData(server, path));
  const { id } = found;
  if (typeof id !== 'string' || !WORKSPACE_ID.test(id)) throw notJsonApi(server.transfer.place);
  return id;
}

async function findStateVersion(server: Server, id: string, workspace: string) {
  const found = await findData(server, `/workspaces/${id}/current-state-version`);
  if (found === undefined) throw stateMissing(workspace, await findData(server, `/workspaces/${id}`));
  const { id: version, attributes } = found;
  const url = isObject(attributes) ? attributes['hosted-state-download-url'] : undefined;
  if (typeof url !== 'string' || url === '') throw notUploaded(workspace);
  return { url, version: typeof version === 'string' ? version : null };
}

/** The `data` of a JSON:API document; undefined if it does not exist, or the token cannot see it. */
async function findData(server: Server, path: string): Promise<Record<string, unknown> | undefined> {
  const { origin, transfer } = server;
  const response = await follow(server, `${origin}/api/v2${path}`, { accept: 'application/vnd.api+json' });
  if (response.status === 404) {
    await response.body?.cancel();
    return undefined;
  }
  if (response.status !== 200) throw toFailure(server, response);
  const data = parseJsonObject(await transfer.readText(response))?.['data'];
  if (!isObject(data)) throw notJsonApi(transfer.place);
  return data;
}

/**
 * Each address passes the egress guard. The token is sent only to the server that the customer named, and no more after
 * another server has chosen the path.
 */
async function follow(server: Server, url: string, headers: Record<string, string>): Promise<Response> {
  const { origin, token, transfer } = server;
  let next = url;
  let is_own = true;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    is_own &&= parseUrl(next)?.origin === origin;
    const response = await transfer.get(next, { ...headers, ...(is_own && { authorization: `Bearer ${token}` }) });
    if (!REDIRECTS.has(response.status)) return response;
    await response.body?.cancel();
    next = resolveLocation(response, next) ?? failNotAllowed(transfer.place);
  }
  throw unusable(transfer.place, `more than ${MAX_REDIRECTS} redirects`);
}

function resolveLocation({ headers }: Response, base: string): string | undefined {
  const location = headers.get('location');
  if (location === null) return undefined;
  // Parsing would remove what the guard looks for, such as an empty user name.
  return parseUrl(location) === undefined ? parseUrl(location, base)?.href : location;
}

function failNotAllowed({ service }: Place): never {
  throw notAllowed(`a redirect of ${service}`);
}

function toFailure({ transfer, now }: Server, { status, headers }: Response) {
  const { place } = transfer;
  if (status === 401) return tokenRejected(place);
  if (status === 429) return throttled(place, readRetryAfter(readReset(headers), now));
  if (status === 403) return accessDenied(place, 'Use the token of a team or user with read access to states.');
  return status >= 500 ? unreachable(place) : unusable(place, 'an unexpected response');
}

/** HCP Terraform names the seconds until its limit ends, with decimals. */
function readReset(headers: Headers): string | null {
  return headers.get('retry-after') ?? headers.get('x-ratelimit-reset');
}

/** The service answers 404 also where the token has no access, so what is known decides what to check. */
function workspaceMissing(
  { organization, name }: { organization: string; name: string },
  found: Record<string, unknown> | undefined,
): StateBackendError {
  const message =
    found === undefined
      ? `The token does not see an organization "${organization}". Check its name, and use a token of a team or user of this organization.`
      : `The organization "${organization}" exists, but the token does not see a workspace "${name}" in it. Check its name, and give the team or user of the token read access to the workspace.`;
  return new StateBackendError('not_found', message);
}

/** @param found the workspace, with what the token may do in it */
function stateMissing(workspace: string, found: Record<string, unknown> | undefined): StateBackendError {
  if (found === undefined) {
    const message = `The token does not see the workspace "${workspace}". Check its ID, and give the team or user of the token read access to the workspace.`;
    return new StateBackendError('not_found', message);
  }
  const permissions = isObject(found['attributes']) ? found['attributes']['permissions'] : undefined;
  if (isObject(permissions) && permissions['can-read-state-versions'] === false) {
    const message = `The token sees the workspace "${workspace}", but is not allowed to read its states. Give its team or user the permission to read state versions.`;
    return new StateBackendError('access_denied', message);
  }
  const message = `The workspace "${workspace}" exists, but has no state yet. Run an apply.`;
  return new StateBackendError('not_found', message);
}

function tokenRejected({ service }: Place): StateBackendError {
  const message = `${service} rejects the token. It has expired, or was revoked. Save the state source with a new one.`;
  return new StateBackendError('credential_rejected', message);
}

/** Addresses of downloads are valid for a few minutes. */
function downloadEnded({ service, name }: Place): StateBackendError {
  const message = `${service} no longer has ${name} at the address that it gave. Try again.`;
  return new StateBackendError('unreachable', message);
}

function notUploaded(workspace: string): StateBackendError {
  const message = `The latest state version of the workspace "${workspace}" has not been uploaded completely. Try again after the run has ended.`;
  return new StateBackendError('unusable', message);
}

function notJsonApi(place: Place): StateBackendError {
  return unusable(place, 'a response that is not a document of its API');
}
