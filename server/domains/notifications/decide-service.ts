import { compareLevels, type RiskLevel } from '../../../engine/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { type BaseUrls, resultUrl } from '../../lib/web-links.ts';
import type { Orgs } from '../orgs/index.ts';
import type { Decided, Dispatch, EventContext } from './dispatch-service.ts';
import { decideStep } from './episode.ts';
import { lockEpisode, markApprovalReported, raiseLevel, saveEpisode } from './episodes-store.ts';
import {
  analysisData,
  approvalData,
  disabledScheduleData,
  driftData,
  failedScanData,
  nameRepository,
  packEvent,
  type ScheduleName,
  toDriftEvent,
} from './event-data.ts';
import * as events from './events-store.ts';
import * as facts from './facts-store.ts';
import type { Handling } from './handle-service.ts';
import { findRoutes } from './routing-service.ts';
import type { AccountDrift, Follower } from './types.ts';

const MOST_TOP_ITEMS = 10;
const REQUEUED_AT_ONCE = 200;
/** An event that nobody decided since is queued again. */
const LOST_AFTER_MS = 60_000;

export interface DecisionsDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'now'> {
  orgs: Pick<Orgs, 'get' | 'getSettings'>;
  base_urls: BaseUrls;
  dispatch: Dispatch;
  /** Whether people are not to hear of a step, because somebody snoozed the drift. */
  silences: Handling['silences'];
  enqueueEvent: (trx: Db, payload: { org_id: string; id: string }) => Promise<void>;
}

interface Context extends EventContext {
  default_channel: string | null;
}

/** Decides what an event means, and writes a delivery for each target in the same transaction. */
export function createDecisions(deps: DecisionsDeps) {
  const { db, platform_db, orgs, base_urls, dispatch, silences, now } = deps;
  const decideSource = {
    drift_snapshot: decideSnapshot,
    scan: decideScan,
    analysis: decideAnalysis,
    compliance_pack: decidePack,
    schedule: decideSchedule,
    pull_request: decideApproval,
  };

  /** Does nothing if the event is decided. */
  async function decide({ org_id, id }: { org_id: string; id: string }): Promise<void> {
    const { slug } = await orgs.get(org_id);
    const settings = await orgs.getSettings(org_id);
    const { default_notify_channel: default_channel, notify_timezone: timezone } = settings;
    const hours = { quiet_hours: settings.notify_quiet_hours, digest_at: settings.notify_digest_at, timezone };
    await db.inOrg(org_id, async (trx) => {
      const event = await events.lockUndecided(trx, org_id, id);
      if (event === undefined) return;
      const context = { org: { id: org_id, slug }, event, hours, default_channel };
      const decided = await decideSource[event.source](trx, context);
      await events.decide(trx, org_id, id, decided, now());
    });
  }

  async function decideSnapshot(trx: Db, context: Context): Promise<Decided | null> {
    const { org, event, default_channel } = context;
    const snapshot = await facts.findSnapshot(trx, org.id, event.source_id);
    if (snapshot === undefined) return null;
    const { step, account } = await observe(trx, org, snapshot);
    const type = toDriftEvent(step);
    if (type === null) return null;
    const is_silent = await silences(trx, org.id, snapshot, step);
    const followers = await facts.listFollowers(trx, org.id, snapshot);
    const { id: drift_snapshot_id, narrative } = snapshot;
    const data = driftData(account, { schedule: findStarter(followers), drift_snapshot_id, narrative });
    for (const route of await findRoutes(trx, org.id, { schedules: followers, default_channel })) {
      if (route.kind === 'webhook') await dispatch.sendWebhook(trx, context, route, { type, data });
      else await dispatch.sendStep(trx, context, route, { type, step, account, is_silent });
    }
    return { type, data };
  }

  /** Compares a snapshot with what is known about its account, and remembers it. */
  async function observe(trx: Db, org: Context['org'], snapshot: facts.SnapshotFacts) {
    const known = await lockEpisode(trx, org.id, snapshot.cloud_account_id);
    const { items_id, created_at: observed_at, risk_level } = snapshot;
    const delta = await facts.compareItems(trx, org.id, items_id, known.items_id);
    const is_same = items_id === known.items_id;
    const gaps = snapshot.notes.map(({ code, message, examples }) => [code, message, ...examples].join('|')).sort();
    const { step, episode } = decideStep(known, { ...delta, observed_at, risk_level, gaps, is_same });
    const keeps_items = step === 'stale' || step === 'held';
    await saveEpisode(trx, org.id, snapshot.cloud_account_id, {
      ...episode,
      items_id: keeps_items ? known.items_id : items_id,
      failing_since: step === 'stale' ? known.failing_since : null,
    });
    return { step, account: await toAccount(trx, org, snapshot, delta) };
  }

  async function toAccount(
    trx: Db,
    org: Context['org'],
    snapshot: facts.SnapshotFacts,
    { item_count, added, removed }: facts.ItemDelta,
  ): Promise<AccountDrift> {
    const { cloud_account_id, display_name, provider, coverage_pct, scan_run_id, created_at, items_id } = snapshot;
    const { extra_count, changed_count, missing_count, risk_level } = snapshot;
    const at = created_at.toISOString();
    const is_open = item_count > 0 && items_id !== null;
    const ended = { status: 'resolved' as const, risk_level: 'none' as const, resolved_at: at };
    return {
      ...{ cloud_account_id, display_name, provider, coverage_pct, scan_run_id, opened_at: at },
      ...(is_open ? { status: 'open', risk_level, resolved_at: null } : ended),
      counts: { new: extra_count, changed: changed_count, missing: missing_count },
      delta: { added, removed },
      top_items: is_open ? await facts.listTopItems(trx, org.id, items_id, MOST_TOP_ITEMS) : [],
      url: scanUrl(org.slug, scan_run_id),
    };
  }

  async function decideScan(trx: Db, context: Context): Promise<Decided | null> {
    const { org, event, default_channel } = context;
    const scan = await facts.findScan(trx, org.id, event.source_id);
    // Whoever starts a scan by hand sees that it fails.
    if (scan === undefined || scan.scan_type === 'manual') return null;
    const known = await lockEpisode(trx, org.id, scan.cloud_account_id);
    const is_first = known.failing_since === null;
    if (is_first) await saveEpisode(trx, org.id, scan.cloud_account_id, { ...known, failing_since: scan.created_at });
    const { cloud_account_id, id: scan_run_id } = scan;
    const followers = await facts.listFollowers(trx, org.id, { cloud_account_id, scan_run_id });
    const data = failedScanData(scan, findStarter(followers), scanUrl(org.slug, scan.id));
    const decided = { type: 'scan.failed' as const, data };
    for (const route of await findRoutes(trx, org.id, { schedules: followers, default_channel })) {
      if (route.kind === 'webhook') await dispatch.sendWebhook(trx, context, route, decided);
      // An issue shows drift, and a failed scan does not change what is known about it.
      else if (is_first && route.kind !== 'issue') await dispatch.sendNotice(trx, context, route, decided.type);
    }
    return decided;
  }

  async function decideAnalysis(trx: Db, context: Context): Promise<Decided | null> {
    const { org, event, default_channel } = context;
    const analysis = await facts.findAnalysis(trx, org.id, event.source_id);
    const risk_level = analysis?.risk_level ?? null;
    if (analysis === undefined || risk_level === null || !isFromPipeline(analysis)) return null;
    const found = { ...analysis, risk_level };
    const decided = {
      type: 'analysis.completed' as const,
      data: analysisData(found, resultUrl(base_urls, org.slug, analysis.id)),
    };
    const is_news = await isNews(trx, org.id, found);
    for (const route of await findRoutes(trx, org.id, { schedules: [], default_channel })) {
      if (route.kind === 'webhook') await dispatch.sendWebhook(trx, context, route, decided);
      else if (is_news && compareLevels(risk_level, route.min_level) >= 0) {
        await dispatch.sendNotice(trx, context, route, decided.type);
      }
    }
    return decided;
  }

  /** People hear of a pull request when it first reaches a level of at least high. */
  async function isNews(
    trx: Db,
    org_id: string,
    analysis: facts.AnalysisFacts & { risk_level: RiskLevel },
  ): Promise<boolean> {
    const { pr_number, risk_level } = analysis;
    if (pr_number === null || compareLevels(risk_level, 'high') < 0) return false;
    const repo = nameRepository(analysis) ?? '';
    return raiseLevel(trx, org_id, { repo, pr_number }, risk_level, now());
  }

  /** Two sources can follow the same pull request. */
  async function decideApproval(trx: Db, context: Context): Promise<Decided | null> {
    const { org, event, default_channel } = context;
    const approval = await facts.findApproval(trx, org.id, event.source_id);
    if (approval === undefined || !(await markApprovalReported(trx, org.id, approval, now()))) return null;
    const { scan_run_id } = approval;
    const url = scan_run_id === null ? null : resultUrl(base_urls, org.slug, scan_run_id);
    const decided = { type: 'analysis.approved' as const, data: approvalData(approval, url) };
    for (const route of await findRoutes(trx, org.id, { schedules: [], default_channel })) {
      if (route.kind === 'webhook') await dispatch.sendWebhook(trx, context, route, decided);
      else await dispatch.sendNotice(trx, context, route, decided.type);
    }
    return decided;
  }

  /** Whoever requests a pack waits for it; servers fetch it or file it. */
  async function decidePack(trx: Db, context: Context): Promise<Decided | null> {
    const { org, event, default_channel } = context;
    const pack = await facts.findPack(trx, org.id, event.source_id);
    const decided = pack === undefined ? null : packEvent(pack);
    if (decided === null) return null;
    for (const route of await findRoutes(trx, org.id, { schedules: [], default_channel })) {
      if (route.kind === 'webhook') await dispatch.sendWebhook(trx, context, route, decided);
    }
    return decided;
  }

  /** A schedule that was deleted or enabled since is no news. */
  async function decideSchedule(trx: Db, context: Context): Promise<Decided | null> {
    const { org, event, default_channel } = context;
    const schedule = await facts.findSchedule(trx, org.id, event.source_id);
    const reason = schedule?.disabled_reason ?? null;
    if (schedule === undefined || reason === null) return null;
    const decided = { type: 'schedule.disabled' as const, data: disabledScheduleData(schedule, reason) };
    for (const route of await findRoutes(trx, org.id, { schedules: [schedule], default_channel })) {
      if (route.kind === 'webhook') await dispatch.sendWebhook(trx, context, route, decided);
      else await dispatch.sendNotice(trx, context, route, decided.type);
    }
    return decided;
  }

  /** The page of a scan is part of the web UI. */
  function scanUrl(slug: string, scan_run_id: string): string | null {
    return base_urls.app_url === null ? null : resultUrl(base_urls, slug, scan_run_id);
  }

  /** Queues events again that the queue has lost. */
  async function requeueLost(): Promise<void> {
    const before = new Date(now().getTime() - LOST_AFTER_MS);
    for (const { org_id, id } of await events.listUndecided(platform_db, before, REQUEUED_AT_ONCE)) {
      await db.inOrg(org_id, (trx) => deps.enqueueEvent(trx, { org_id, id }));
    }
  }

  return { decide, requeueLost };
}

/** The schedule that started the scan; null if a person or a program did, or if it was deleted. */
function findStarter(followers: readonly Follower[]): ScheduleName | null {
  const starter = followers.find(({ has_started }) => has_started);
  return starter === undefined ? null : { id: starter.id, name: starter.name };
}

/** Whoever submits a plan by hand reads its verdict; a plan of a pull request or of a pipeline runs unwatched. */
function isFromPipeline({ scan_type, repo_name, repo_url }: facts.AnalysisFacts): boolean {
  return scan_type === 'webhook' || repo_name !== null || repo_url !== null;
}
