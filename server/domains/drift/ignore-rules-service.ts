import { decideIgnore, type IgnoreRule } from '../../../engine/drift/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { Conflict, NotFound } from '../../lib/errors.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { parseConditions, parseExpiry } from './ignore-rule.ts';
import * as store from './ignore-rules-store.ts';
import type { IgnorePreview, IgnoreRuleInput, StoredIgnoreRule } from './types.ts';

/** Every computation matches each item with all of them. */
const MOST_LIVE = 500;
const DAY_MS = 86_400_000;
/** How long an ended rule is listed. */
const LISTED_DAYS = 30;
const PREVIEWED = 100;

export interface IgnoreRulesDeps extends Pick<ServiceDeps, 'db' | 'sweep_db' | 'now'> {
  audit: Pick<AuditWriter, 'record'>;
  /** The items of the latest snapshot of a scan, in their order. @throws NotFound `drift_not_computed` */
  readItems: (orgId: string, scan_run_id: string) => AsyncIterable<readonly PreviewedItem[]>;
}

/** A stored item as a preview matches it. */
export type PreviewedItem = Parameters<typeof decideIgnore>[1];
/** The current state of a rule. */
export type IgnoreRuleState = StoredIgnoreRule & { expired: boolean };

/** Drift that an organization accepts. */
export function createIgnoreRules({ db, sweep_db, audit, now, readItems }: IgnoreRulesDeps) {
  /** One page, newest first; rules that ended are listed for 30 days. */
  async function list(
    orgId: string,
    page: { limit: number; offset: number },
  ): Promise<{ rules: IgnoreRuleState[]; total: number }> {
    const { rules, total } = await db.inOrg(orgId, (trx) => store.listRules(trx, orgId, page));
    return { rules: rules.map(toState), total };
  }

  /** The rules of a computation that begins now, oldest first. */
  async function listLive(orgId: string): Promise<IgnoreRule[]> {
    return db.readInOrg(orgId, (read) => store.listLive(read, orgId, now()));
  }

  /** @throws InvalidInput; Conflict `too_many_ignore_rules` */
  async function create(
    principal: Principal,
    orgId: string,
    input: IgnoreRuleInput,
    keep?: Keep<IgnoreRuleState>,
  ): Promise<IgnoreRuleState> {
    const rule = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const created = await insert(trx, principal, orgId, input);
      await keep?.(trx, created);
      return created;
    });
    await recordCreation(principal, orgId, rule);
    return rule;
  }

  /** Like `create`, unless a rule with the same conditions is in force. @returns undefined then */
  async function createOnce(
    principal: Principal,
    orgId: string,
    input: IgnoreRuleInput,
  ): Promise<IgnoreRuleState | undefined> {
    const conditions = describeConditions({ id: '', ...parseConditions(input) });
    const rule = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const live = await store.listLive(trx, orgId, now());
      if (live.some((one) => describeConditions(one) === conditions)) return undefined;
      return insert(trx, principal, orgId, input);
    });
    if (rule !== undefined) await recordCreation(principal, orgId, rule);
    return rule;
  }

  async function insert(trx: Db, { user }: Principal, orgId: string, input: IgnoreRuleInput): Promise<IgnoreRuleState> {
    const at = now();
    const row = {
      ...parseConditions(input),
      reason: input.reason.trim(),
      expires_at: parseExpiry(input.expires_at, at),
      created_at: at,
    };
    assertRoom(await store.countLive(trx, orgId, at));
    const id = await store.insertRule(trx, orgId, { ...row, created_by: user.id });
    return toState({ ...row, id, created_by: user.email });
  }

  async function recordCreation({ user }: Principal, orgId: string, rule: IgnoreRuleState): Promise<void> {
    const detail = {
      rule_id: rule.id,
      drift_types: rule.drift_types,
      expires_at: rule.expires_at?.toISOString() ?? null,
    };
    await audit.record({ action: 'drift_ignore_rule.created', org_id: orgId, actor_email: user.email, detail });
  }

  /** @throws NotFound */
  async function remove(principal: Principal, orgId: string, id: string): Promise<void> {
    const removed = await db.inOrg(orgId, (trx) => store.deleteRule(trx, orgId, id));
    if (!removed) throw new NotFound();
    await audit.record({
      action: 'drift_ignore_rule.deleted',
      org_id: orgId,
      actor_email: principal.user.email,
      detail: { rule_id: id },
    });
  }

  /** What a rule would ignore in the latest snapshot of a scan. @throws InvalidInput; NotFound `drift_not_computed` */
  async function preview(orgId: string, scan_run_id: string, input: IgnoreRuleInput): Promise<IgnorePreview> {
    parseExpiry(input.expires_at, now());
    const rule: IgnoreRule = { id: 'preview', ...parseConditions(input) };
    const found: IgnorePreview = { match_count: 0, protected_count: 0, items_total: 0, items: [] };
    for await (const items of readItems(orgId, scan_run_id)) {
      for (const item of items) countItem(found, item, decideIgnore(rule, item));
    }
    return found;
  }

  async function deleteEnded(): Promise<void> {
    const before = new Date(now().getTime() - LISTED_DAYS * DAY_MS);
    await inBatches((limit) => store.deleteEnded(sweep_db, before, limit));
  }

  function toState(rule: StoredIgnoreRule): IgnoreRuleState {
    return { ...rule, expired: rule.expires_at !== null && rule.expires_at <= now() };
  }

  return { list, listLive, create, createOnce, remove, preview, deleteEnded };
}

export type IgnoreRules = ReturnType<typeof createIgnoreRules>;

/** The same text for the same conditions. */
function describeConditions(rule: IgnoreRule): string {
  const { drift_types, resource_type, address, provider_resource_id, attribute, tag_key, tag_value } = rule;
  const rest = { resource_type, address, provider_resource_id, attribute, tag_key, tag_value };
  return JSON.stringify({ drift_types: [...drift_types].sort(), ...rest });
}

function countItem(found: IgnorePreview, item: PreviewedItem, decision: ReturnType<typeof decideIgnore>): void {
  found.items_total++;
  if (decision === 'protected') found.protected_count++;
  if (decision !== 'ignored') return;
  found.match_count++;
  const { drift_type, resource_address, provider_resource_id, level } = item;
  if (found.items.length < PREVIEWED) found.items.push({ drift_type, resource_address, provider_resource_id, level });
}

function assertRoom(live: number): void {
  if (live < MOST_LIVE) return;
  throw new Conflict(
    `An organization can have ${MOST_LIVE} drift ignore rules. Delete those that it no longer needs, or use one with a wildcard.`,
    'too_many_ignore_rules',
  );
}
