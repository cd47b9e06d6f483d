import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Keep, lockOrg } from '../../db/index.ts';
import { assertFound, Conflict, NotFound, Unprocessable } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { OrgContext, Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { cleanName, type Orgs } from '../orgs/index.ts';
import type { StateAccessService } from './access-service.ts';
import { assertKeys, hashLocation, hideToken, PROVIDERS, toLocation } from './config.ts';
import type { Refresher } from './refresh-service.ts';
import { openConfig, sealConfig } from './seals.ts';
import type { Snapshots } from './snapshots-service.ts';
import * as store from './store.ts';
import type {
  AssertAllowed,
  ReadStateBytes,
  RefreshResult,
  SourceFilter,
  StateSource,
  StateSourceInput,
  StoredSource,
} from './types.ts';

const UPLOAD_TIMEOUT_MS = 75_000;
const CHUNK_BYTES = 256 * 1024;

export interface SourcesDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'now'> {
  orgs: Pick<Orgs, 'assertRoom' | 'noiseKey' | 'getSettings'>;
  audit: Pick<AuditWriter, 'record'>;
  access: Pick<StateAccessService, 'assertUsable'>;
  refresher: Pick<Refresher, 'refresh'>;
  snapshots: Pick<Snapshots, 'save'>;
  readState: ReadStateBytes;
  assertAllowed: AssertAllowed;
}

export function createSources(deps: SourcesDeps) {
  const { db, sealer, orgs, audit, access, refresher, snapshots, readState, assertAllowed, now } = deps;

  /** One page by name; tokens are hidden from callers who must not see them. */
  async function list(
    org: OrgContext,
    filter: SourceFilter,
    page: { limit: number; offset: number },
  ): Promise<{ sources: StateSource[]; total: number }> {
    const shows_tokens = await mayReadTokens(org);
    const { sources, total } = await db.inOrg(org.id, (trx) => store.listSources(trx, org.id, filter, page));
    return { sources: sources.map((source) => show(source, shows_tokens)), total };
  }

  /** @throws NotFound */
  async function get(org: OrgContext, id: string): Promise<StateSource> {
    return show(await find(org.id, id), await mayReadTokens(org));
  }

  /** @throws NotFound */
  async function find(orgId: string, id: string): Promise<StoredSource> {
    return assertFound(await db.readInOrg(orgId, (read) => store.findSource(read, orgId, id)));
  }

  async function mayReadTokens({ id, role }: OrgContext): Promise<boolean> {
    const { state_source_secrets } = await orgs.getSettings(id);
    if (state_source_secrets === 'admins_only') return role === 'owner' || role === 'admin';
    return state_source_secrets === 'verbatim';
  }

  function show({ config_ct, ...source }: StoredSource, shows_tokens: boolean): StateSource {
    const config = openConfig(sealer, { org_id: source.org_id, id: source.id, config_ct });
    return { ...source, config: shows_tokens ? config : hideToken(config) };
  }

  /**
   * Registers a source; nothing is fetched.
   *
   * @throws InvalidInput, `url_not_allowed` for a location that must not be called; Conflict `source_exists`;
   *   PaymentRequired if the organization has as many as its plan allows
   */
  async function create(
    principal: Principal,
    org: OrgContext,
    input: StateSourceInput,
    keep?: Keep<StateSource>,
  ): Promise<StateSource> {
    const { kind, config, cloud_account_id = null } = input;
    const display_name = cleanName(input.display_name, 'display_name');
    assertKeys(kind, config);
    if (kind !== 'upload') assertAllowed(toLocation(kind, config));
    if (cloud_account_id !== null) await access.assertUsable(org.id, PROVIDERS[kind], cloud_account_id);
    const [key, shows_tokens] = await Promise.all([orgs.noiseKey(org.id), mayReadTokens(org)]);
    const id = newId();
    const config_ct = sealConfig(sealer, { org_id: org.id, id }, config);
    const location_key = hashLocation(key, kind, config, id);
    const row = { id, cloud_account_id, kind, display_name, config_ct, parent_glob_id: null, created_at: now() };

    const created = await db.inOrg(org.id, async (trx) => {
      await lockOrg(trx, org.id);
      await orgs.assertRoom(trx, org.id, 'state_sources');
      if (!(await store.insertSource(trx, org.id, { ...row, location_key }))) throw exists();
      const source = show(assertFound(await store.findSource(trx, org.id, id)), shows_tokens);
      await keep?.(trx, source);
      return source;
    });
    const detail = { source_id: id, kind, display_name, cloud_account_id };
    const actor_email = principal.user.email;
    await audit.record({ action: 'state_source.created', org_id: org.id, actor_email, detail });
    return created;
  }

  /** @throws NotFound */
  async function remove(principal: Principal, orgId: string, id: string): Promise<void> {
    const deleted = await db.inOrg(orgId, (trx) => store.deleteSource(trx, orgId, id, now()));
    if (!deleted) throw new NotFound();
    const actor_email = principal.user.email;
    await audit.record({ action: 'state_source.deleted', org_id: orgId, actor_email, detail: { source_id: id } });
  }

  /** Fetches a state for a person. @throws as Refresher.refresh */
  async function refresh(principal: Principal, orgId: string, id: string): Promise<RefreshResult> {
    const result = await refresher.refresh(orgId, id);
    await recordRefresh(principal, orgId, id, result);
    return result;
  }

  /**
   * Makes an uploaded file the latest snapshot of its source.
   *
   * @throws NotFound; Conflict `not_upload_source`; Unprocessable `unprocessable_state`
   */
  async function upload(principal: Principal, orgId: string, id: string, file: Uint8Array): Promise<RefreshResult> {
    const { kind, latest_snapshot_id } = await find(orgId, id);
    if (kind !== 'upload') {
      const message = `a source of kind ${kind} is fetched from where it is stored; refresh it instead`;
      throw new Conflict(message, 'not_upload_source');
    }
    const signal = AbortSignal.timeout(UPLOAD_TIMEOUT_MS);
    const read = await readState(orgId, inChunks(file), signal).catch((error: unknown) => {
      const is_unreadable = error instanceof Error && error.name === 'StateReadError';
      throw is_unreadable ? new Unprocessable(error.message, 'unprocessable_state') : error;
    });
    const result = await snapshots.save({ org_id: orgId, id, token: null }, read, latest_snapshot_id);
    await recordRefresh(principal, orgId, id, result);
    return result;
  }

  async function recordRefresh(principal: Principal, org_id: string, source_id: string, result: RefreshResult) {
    const { snapshot_id, refreshed, resource_count } = result;
    const detail = { source_id, snapshot_id, refreshed, resource_count };
    await audit.record({ action: 'state_source.refreshed', org_id, actor_email: principal.user.email, detail });
  }

  return { list, get, find, create, remove, refresh, upload };
}

export type Sources = ReturnType<typeof createSources>;

function exists(): Conflict {
  return new Conflict('a state source for this location already exists; use or delete it', 'source_exists');
}

async function* inChunks(file: Uint8Array): AsyncIterable<Uint8Array> {
  for (let from = 0; from < file.length; from += CHUNK_BYTES) yield file.subarray(from, from + CHUNK_BYTES);
}
