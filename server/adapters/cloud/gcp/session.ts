import { createTokenCache } from '../rest/access-token.ts';
import { type AskCloud, createCloudApi } from '../rest/api.ts';
import { createAuthorizedRest } from '../rest/authorized.ts';
import { createCloudError, createUnknownPartError } from '../rest/fault.ts';
import { readTokenPage, type TokenPage } from '../rest/paging.ts';
import { type Rest, type RestResponse, unreadable } from '../rest/request.ts';
import type { Throttle } from '../throttle.ts';
import type { CloudIdentity, CloudSession, CloudTarget } from '../types.ts';
import { CALLS, type GcpCall } from './calls.ts';
import type { GcpEndpoints } from './endpoints.ts';
import { CLOUD, toGoogleError } from './faults.ts';
import { checkGcpPermissions } from './permissions.ts';
import { assertTokenAccepted, OUTLINE, toSearchQuery, toTokenPage } from './search.ts';
import { CLOUD_PLATFORM, type OpenGoogleToken, readServiceAccountEmail } from './tokens.ts';

export interface GcpSessionDeps {
  rest: Rest;
  throttle: Throttle;
  openToken: OpenGoogleToken;
  endpoints: GcpEndpoints;
  now: () => Date;
}

export function openGcpSession(target: CloudTarget, deps: GcpSessionDeps): CloudSession {
  const ended = new AbortController();
  const loadToken = () => deps.openToken(target, [CLOUD_PLATFORM], ended.signal);
  const rest = createAuthorizedRest(deps.rest, createTokenCache(loadToken, deps.now));
  const scope: Scope = {
    ask: createCloudApi<GcpCall>({
      cloud: CLOUD,
      rest,
      throttle: deps.throttle,
      findBaseUrl: ({ service }) => deps.endpoints[service],
      toError: (response, call) => toGoogleError(response, call, deps.now()),
    }),
    target,
    project: `projects/${encodeURIComponent(target.external_account_id)}`,
  };
  const until = (signal: AbortSignal) => AbortSignal.any([signal, ended.signal]);

  return {
    identify: (signal) => identify(scope, until(signal)),
    checkPermissions: (signal) => checkGcpPermissions(scope, until(signal)),
    outline: async () => OUTLINE,
    async readPage(part, cursor, signal) {
      if (!OUTLINE.parts.some(({ key }) => key === part.key)) throw createUnknownPartError(part.key);
      return readTokenPage(cursor, (token) => readSearchPage(scope, token, until(signal)), CALLS.search.service);
    },
    close: () => ended.abort(),
  };
}

interface Scope {
  ask: AskCloud<GcpCall>;
  target: CloudTarget;
  project: string;
}

async function identify({ ask, target, project }: Scope, signal: AbortSignal): Promise<CloudIdentity> {
  const identity = readServiceAccountEmail(target.credentials);
  const { service } = CALLS.get_project;
  const { projectId, state } = await ask(CALLS.get_project, { path: `/v3/${project}`, signal });
  if (typeof projectId !== 'string') throw unreadable({ cloud: CLOUD, service });
  if (state === 'DELETE_REQUESTED') {
    const message = `The project ${target.external_account_id} is being deleted. Connect a project that is active.`;
    throw createCloudError({ code: 'access_denied', message, service });
  }
  return { identity, external_account_id: projectId };
}

async function readSearchPage(scope: Scope, page_token: string | null, signal: AbortSignal): Promise<TokenPage> {
  const { external_account_id: project_id, regions } = scope.target;
  const path = `/v1/${scope.project}:searchAllResources?${toSearchQuery(page_token)}`;
  const check = (response: RestResponse) => assertTokenAccepted(response, page_token);
  return toTokenPage(await scope.ask(CALLS.search, { path, signal, check }), { project_id, regions });
}
