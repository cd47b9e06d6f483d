import { lazy } from '../../../lib/lazy.ts';
import { createTokenCache } from '../rest/access-token.ts';
import { type AskCloud, createCloudApi } from '../rest/api.ts';
import { createAuthorizedRest } from '../rest/authorized.ts';
import { createCloudError, createUnknownPartError } from '../rest/fault.ts';
import { readTokenPage } from '../rest/paging.ts';
import { type Rest, unreadable } from '../rest/request.ts';
import { untilAborted } from '../rest/until-aborted.ts';
import type { Throttle } from '../throttle.ts';
import {
  type CloudCall,
  CloudError,
  type CloudIdentity,
  type CloudSession,
  type CloudTarget,
  type ScanPart,
} from '../types.ts';
import { type ActionSet, isActionGranted, parseActionSets } from './actions.ts';
import { CALLS } from './calls.ts';
import type { AzureEndpoints } from './endpoints.ts';
import { CLOUD, toAzureError } from './faults.ts';
import { assertTokenAccepted, INCOMPLETE, toQueryBody, toTokenPage } from './query.ts';
import type { Quota } from './quota.ts';
import { findQuery, OUTLINE } from './tables.ts';
import { getApplication, type OpenAzureToken } from './tokens.ts';

export interface AzureSessionDeps {
  rest: Rest;
  throttle: Throttle;
  quota: Quota;
  openToken: OpenAzureToken;
  endpoints: AzureEndpoints;
  now: () => Date;
}

export function openAzureSession(target: CloudTarget, deps: AzureSessionDeps): CloudSession {
  const ended = new AbortController();
  const loadToken = () => deps.openToken(target, deps.endpoints.management_scope, ended.signal);
  const rest = createAuthorizedRest(deps.rest, createTokenCache(loadToken, deps.now));
  const ask = createCloudApi({
    cloud: CLOUD,
    rest,
    throttle: deps.throttle,
    quota: deps.quota,
    findBaseUrl: () => deps.endpoints.management,
    toError: (response, call) => toAzureError(response, call, deps.now()),
  });
  const readsEverything = lazy(() => canReadEverything({ ask, target }, ended.signal));
  const scope: Scope = { ask, target, readsEverything };
  const until = (signal: AbortSignal) => AbortSignal.any([signal, ended.signal]);

  return {
    identify: (signal) => identify(scope, until(signal)),
    async checkPermissions(signal) {
      const sets = await listActionSets(scope, until(signal));
      return Object.values(CALLS).flatMap(({ permissions, needed_for }) =>
        permissions.map((name) => ({ name, granted: isActionGranted(sets, name), needed_for })),
      );
    },
    outline: async () => OUTLINE,
    readPage: (part, cursor, signal) => readPage(scope, { part, cursor, signal: until(signal) }),
    close: () => ended.abort(),
  };
}

interface Account {
  ask: AskCloud<CloudCall>;
  target: CloudTarget;
}

interface Scope extends Account {
  /** Whether Resource Graph shows the application the whole subscription. Asked once for each session. */
  readsEverything(): Promise<boolean>;
}

/** An application of a managing tenant (Azure Lighthouse) may read a subscription of another tenant. */
async function identify({ ask, target }: Scope, signal: AbortSignal): Promise<CloudIdentity> {
  const { tenant_id, client_id } = getApplication(target.credentials);
  const { service } = CALLS.get_subscription;
  const path = `${toPath(target)}?api-version=2022-12-01`;
  const { subscriptionId, tenantId, managedByTenants } = await ask(CALLS.get_subscription, { path, signal });
  if (typeof subscriptionId !== 'string') throw unreadable({ cloud: CLOUD, service });
  const managing = Array.isArray(managedByTenants) ? managedByTenants.map((one) => one?.tenantId) : [];
  const tenants = [tenantId, ...managing].map((one) => String(one).toLowerCase());
  if (typeof tenantId === 'string' && !tenants.includes(tenant_id.toLowerCase())) {
    const message = `The subscription belongs to another tenant than ${tenant_id}. Use an application of its tenant.`;
    throw createCloudError({ code: 'credential_error', message, service });
  }
  return { identity: client_id, external_account_id: subscriptionId };
}

async function listActionSets({ ask, target }: Account, signal: AbortSignal): Promise<ActionSet[]> {
  const path = `${toPath(target)}/providers/Microsoft.Authorization/permissions?api-version=2022-04-01`;
  return parseActionSets(await ask(CALLS.list_permissions, { path, signal }));
}

async function canReadEverything(account: Account, signal: AbortSignal): Promise<boolean> {
  try {
    const sets = await listActionSets(account, signal);
    return CALLS.query.permissions.every((action) => isActionGranted(sets, action));
  } catch (error) {
    if (error instanceof CloudError && error.fault.code === 'access_denied') return false;
    throw error;
  }
}

interface PageRequest {
  part: ScanPart;
  cursor: string | null;
  signal: AbortSignal;
}

async function readPage(scope: Scope, { part, cursor, signal }: PageRequest) {
  const { ask, target } = scope;
  const query = findQuery(part);
  if (query === undefined) throw createUnknownPartError(part.key);
  const is_complete = cursor !== null || (await untilAborted(scope.readsEverything(), signal));
  const query_scope = { subscription_id: target.external_account_id, regions: target.regions };

  const read = async (skip_token: string | null) => {
    const body = await ask(CALLS.query, {
      path: '/providers/Microsoft.ResourceGraph/resources?api-version=2022-10-01',
      body: toQueryBody(query, query_scope, skip_token),
      signal,
      check: (response) => assertTokenAccepted(response, skip_token),
    });
    const page = toTokenPage(body, query_scope);
    return is_complete ? page : { ...page, faults: [INCOMPLETE, ...page.faults] };
  };
  return readTokenPage(cursor, read, CALLS.query.service);
}

function toPath({ external_account_id }: CloudTarget): string {
  return `/subscriptions/${encodeURIComponent(external_account_id)}`;
}
