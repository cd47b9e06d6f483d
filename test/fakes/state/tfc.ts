import { type RestCall, type RestReply, type RestServer, startRestServer } from '../cloud/rest-server.ts';
import { BACKEND_TEXT } from './gcs.ts';

export interface FakeWorkspace {
  organization: string;
  name: string;
  /** Null if nothing has been applied. */
  state: string | null;
  /** Whether the token can read states; it always sees the workspace. */
  can_read_states?: boolean;
}

export interface FakeTfc extends RestServer {
  workspaces: Map<string, FakeWorkspace>;
  tokens: Set<string>;
  /** Address of downloads; that of this server unless it is changed. */
  download_origin: string;
}

/** Requests per second that a token can send. */
const RATE_LIMIT = { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0.214' };

/**
 * The part of HCP Terraform that reads states. Like the real one, it answers 404 to a token without access, and hands
 * out download addresses of its archive.
 *
 * @see https://developer.hashicorp.com/terraform/cloud-docs/api-docs: Authentication, Response codes, Rate limiting,
 *   Show workspace, Fetch the current state version for a workspace; hashicorp/go-tfe, errors.go
 */
export async function startFakeTfc(): Promise<FakeTfc> {
  const server = await startRestServer(({ path }) => {
    const [, organization, name] = /^\/api\/v2\/organizations\/([^/]+)\/workspaces\/([^/]+)$/.exec(path) ?? [];
    if (organization !== undefined && name !== undefined) {
      return { name: 'workspaces.show', answer: (call) => authorize(call, () => showWorkspace(organization, name)) };
    }
    const [, id] = /^\/api\/v2\/workspaces\/([^/]+)\/current-state-version$/.exec(path) ?? [];
    if (id !== undefined) {
      return { name: 'state-versions.current', answer: (call) => authorize(call, () => showStateVersion(id)) };
    }
    const [, shown] = /^\/api\/v2\/workspaces\/([^/]+)$/.exec(path) ?? [];
    if (shown !== undefined) {
      return { name: 'workspaces.show', answer: (call) => authorize(call, () => describeWorkspace(shown)) };
    }
    const [, owner] = /^\/api\/v2\/organizations\/([^/]+)$/.exec(path) ?? [];
    if (owner !== undefined) {
      return { name: 'organizations.show', answer: (call) => authorize(call, () => showOrganization(owner)) };
    }
    const [, key] = /^\/_archivist\/v1\/object\/(.+)$/.exec(path) ?? [];
    return key === undefined ? undefined : { name: 'archivist', answer: () => download(key) };
  });
  const fake: FakeTfc = Object.assign(server, {
    workspaces: new Map(),
    tokens: new Set<string>(),
    download_origin: server.url,
  });

  function authorize({ headers }: RestCall, answer: () => RestReply): RestReply {
    const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
    return fake.tokens.has(token) ? answer() : failure(401, 'unauthorized');
  }

  function showWorkspace(organization: string, name: string): RestReply {
    const found = [...fake.workspaces].find(([, one]) => one.organization === organization && one.name === name);
    return found === undefined ? failure(404, 'not found') : describeWorkspace(found[0]);
  }

  function describeWorkspace(id: string): RestReply {
    const workspace = fake.workspaces.get(id);
    if (workspace === undefined) return failure(404, 'not found');
    const { name, can_read_states = true } = workspace;
    const permissions = { 'can-read-state-versions': can_read_states };
    return document({ id, type: 'workspaces', attributes: { name, permissions } });
  }

  function showOrganization(name: string): RestReply {
    const exists = [...fake.workspaces.values()].some(({ organization }) => organization === name);
    return exists ? document({ id: name, type: 'organizations', attributes: { name } }) : failure(404, 'not found');
  }

  function showStateVersion(id: string): RestReply {
    const workspace = fake.workspaces.get(id);
    if (workspace?.state == null || workspace.can_read_states === false) return failure(404, 'not found');
    const url = `${fake.download_origin}/_archivist/v1/object/${Buffer.from(id).toString('base64url')}`;
    return document({
      id: 'sv-DmoXecHePnNznaA4',
      type: 'state-versions',
      attributes: { serial: 7, 'hosted-state-download-url': url },
    });
  }

  function download(key: string): RestReply {
    const state = fake.workspaces.get(Buffer.from(key, 'base64url').toString())?.state;
    return state == null ? { status: 404, text: BACKEND_TEXT } : { status: 200, text: state };
  }

  return fake;
}

export const TFC_LIMITED: RestReply = {
  status: 429,
  body: {
    errors: [
      { detail: `You have exceeded the API's rate limit. ${BACKEND_TEXT}`, status: 429, title: 'Too many requests' },
    ],
  },
  headers: RATE_LIMIT,
};

function document(data: Record<string, unknown>): RestReply {
  return { status: 200, body: { data }, headers: { 'content-type': 'application/vnd.api+json; charset=utf-8' } };
}

function failure(status: number, title: string): RestReply {
  const headers = { 'content-type': 'application/vnd.api+json; charset=utf-8' };
  return { status, body: { errors: [{ status: String(status), title, detail: BACKEND_TEXT }] }, headers };
}
