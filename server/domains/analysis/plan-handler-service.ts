import type { BlobStore } from '../../adapters/blob/types.ts';
import type { AnalyzedPlan, OrgJudgement, PlanFault, PlanPool } from '../../adapters/plan-pool/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { formatRepo } from '../../lib/repo.ts';
import type { Sealer } from '../../lib/seal.ts';
import type { PlanDrifts } from '../drift/index.ts';
import { type Claim, type Failure, type Finished, type JobHandler, payloadAad } from '../jobs/index.ts';
import type { KnownOwners } from '../known-owners/index.ts';
import type { Noise } from '../noise/index.ts';
import { type FoundLink, type LiveKnowledge, type PlanLinks, replaceMarks } from '../resources/index.ts';
import { type ScanError, type Scans, scanRunRecord } from '../scans/index.ts';
import type { Classification, Classifier } from './classify-service.ts';
import type { NarratedRun, Narrator } from './narrate-service.ts';
import type { RuleBooks } from './rule-book-service.ts';
import type { Narrated } from './types.ts';

export interface PlanHandlerDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  scans: Pick<Scans, 'analysisRun'>;
  ruleBooks: RuleBooks;
  noise: Pick<Noise, 'record'>;
  knownOwners: Pick<KnownOwners, 'learn'>;
  planLinks: PlanLinks;
  planDrift: Pick<PlanDrifts, 'record'>;
  classifier: Classifier;
  narrator: Narrator;
  blobs: Pick<BlobStore, 'get'>;
  sealer: Pick<Sealer, 'open'>;
  pool: Pick<PlanPool, 'analyze'>;
}

const LOST: Failure = {
  error_class: 'internal',
  message: 'The analysis could not be completed. Submit the plan again.',
};

/** Analyzes a stored plan with the rules of its organization, and adds the narrative. */
export function createPlanHandler(deps: PlanHandlerDeps): JobHandler {
  const { db, now, scans, ruleBooks, noise, knownOwners, planLinks, planDrift, classifier, narrator } = deps;
  const { blobs, sealer, pool } = deps;

  async function run(claim: Claim, signal: AbortSignal): Promise<Finished | Failure> {
    const { org_id, payload_key } = claim;
    const sealed = payload_key === null ? undefined : await blobs.get(payload_key);
    if (sealed === undefined) return LOST;
    const [judgement, send_values, link_mark] = await Promise.all([
      loadJudgement(claim),
      narrator.sendValues(org_id),
      planLinks.createMark(org_id),
    ]);
    // Decrypted for each task, because the thread keeps its input.
    const analyze = (likely_benign: string[], live: LiveKnowledge['facts']) => {
      const payload = sealer.open(sealed, payloadAad(org_id, claim.id));
      return pool.analyze(org_id, payload, { judgement, send_values, likely_benign, link_mark, live }, signal);
    };
    const plan_only = await analyze([], []);
    if ('fault' in plan_only) return plan_only.fault;
    const run = { org_id, scan_run_id: readRunId(claim), judgement, send_values };
    const [{ likely_benign, ...classification }, { found, live }] = await Promise.all([
      classifyUnknown(run, plan_only, signal),
      lookUp(org_id, plan_only),
    ]);
    const is_known = likely_benign.length === 0 && live.facts.length === 0;
    const analyzed = is_known ? plan_only : await analyze(likely_benign, live.facts);
    if ('fault' in analyzed) return analyzed.fault;
    const explained = await narrator.narrate(run, analyzed, signal);
    const text = link_mark === null ? explained.text : replaceMarks(explained.text, link_mark, found);
    const trace_ids = [...classification.trace_ids, ...explained.trace_ids];
    const links = withFinalLevels(found, analyzed, explained.raised);
    const narrated = { ...explained, text, trace_ids };
    return {
      is_billed: narrated.is_billed,
      write: (trx, finished_at) => write(trx, claim, { analyzed, narrated, links, drift: live.items, finished_at }),
    };
  }

  /** The live resources of the changes, and what scans know about them. */
  async function lookUp(org_id: string, { link_candidates }: AnalyzedPlan) {
    const found = await planLinks.find(org_id, link_candidates);
    return { found, live: await planLinks.findLive(org_id, link_candidates, found) };
  }

  /** A model's classification of unknown patterns, if a model writes the narrative. */
  async function classifyUnknown(
    run: NarratedRun,
    { unknown_patterns }: AnalyzedPlan,
    signal: AbortSignal,
  ): Promise<Classification> {
    const { org_id, scan_run_id, send_values } = run;
    if (send_values === null) return { likely_benign: [], trace_ids: [] };
    return classifier.classify({ org_id, scan_run_id }, unknown_patterns, signal);
  }

  async function loadJudgement(claim: Claim): Promise<OrgJudgement> {
    const { org_id } = claim;
    const [book, run] = await Promise.all([
      ruleBooks.get(org_id),
      db.readInOrg(org_id, (read) => scans.analysisRun.get(read, org_id, readRunId(claim))),
    ]);
    const context = { repo: formatRepo(run.repo_owner, run.repo_name), branch: run.branch, now: now() };
    return { ...book, context };
  }

  async function write(
    trx: Db,
    claim: Claim,
    finished: {
      analyzed: AnalyzedPlan;
      narrated: Narrated;
      links: readonly FoundLink[];
      drift: LiveKnowledge['items'];
      finished_at: Date;
    },
  ): Promise<void> {
    const { org_id } = claim;
    const { analyzed, narrated, links, drift, finished_at } = finished;
    const scan_run_id = readRunId(claim);
    const run = await scans.analysisRun.get(trx, org_id, scan_run_id);
    const { provider, resource_count } = analyzed;
    const outcome = { provider, resource_count, narrative_status: narrated.narrative_status, finished_at };
    const scan_run = JSON.stringify(scanRunRecord({ ...run, ...outcome, status: 'done' }));
    const trace_ids = JSON.stringify(narrated.trace_ids);
    const result_json = `${narrated.text.slice(0, -1)},"scan_run":${scan_run},"trace_ids":${trace_ids}}`;
    await scans.analysisRun.finish(trx, org_id, scan_run_id, { ...outcome, result_json });
    const { repo_owner, repo_name, commit_sha, pr_number } = run;
    const noise_run = { scan_run_id, repo_owner, repo_name, commit_sha, pr_number, seen_at: finished_at };
    await noise.record(trx, org_id, noise_run, analyzed.occurrences);
    await knownOwners.learn(trx, org_id, analyzed.owners, finished_at);
    await planLinks.record(trx, org_id, { scan_run_id, created_at: finished_at }, links);
    await planDrift.record(trx, org_id, { scan_run_id, created_at: finished_at }, withAddresses(drift, analyzed));
  }

  return {
    begin: (trx, claim) => scans.analysisRun.start(trx, claim.org_id, readRunId(claim)),
    run,
    fail: (trx, claim, failure) => scans.analysisRun.fail(trx, claim.org_id, readRunId(claim), scanError(failure)),
    findResult: async (org_id, { scan_run_id }) =>
      scan_run_id === null ? null : scans.analysisRun.resultText(org_id, scan_run_id),
  };
}

/** What scans know and what a model says can both raise a change after its resource was looked up. */
function withFinalLevels(
  links: readonly FoundLink[],
  { link_candidates }: AnalyzedPlan,
  raised: Narrated['raised'],
): FoundLink[] {
  const levels = new Map(link_candidates.map(({ change_id, risk_level }) => [change_id, risk_level]));
  return links.map((link) => {
    const { change_id, risk_level } = link;
    return { ...link, risk_level: raised[change_id] ?? levels.get(change_id) ?? risk_level };
  });
}

function withAddresses(items: LiveKnowledge['items'], { link_candidates }: AnalyzedPlan) {
  const addresses = new Map(link_candidates.map(({ change_id, address }) => [change_id, address]));
  return items.flatMap(({ change_id, cloud_account_id, drift_type, stable_key, first_detected_at }) => {
    const address = addresses.get(change_id);
    return address === undefined
      ? []
      : [{ change_id, address, cloud_account_id, drift_type, stable_key, first_detected_at }];
  });
}

function readRunId({ id, scan_run_id }: Claim): string {
  if (scan_run_id === null) throw new Error(`the scan run of job ${id} no longer exists`);
  return scan_run_id;
}

const SCAN_CODES: Record<PlanFault['error_class'], ScanError['code']> = {
  invalid_plan_json: 'parse_error',
  unsupported_plan_version: 'parse_error',
  plan_too_complex: 'timeout',
};

function scanError({ error_class, message }: Failure): ScanError {
  return {
    code: error_class in SCAN_CODES ? SCAN_CODES[error_class as PlanFault['error_class']] : 'internal',
    message,
    provider: null,
    region: null,
    service: null,
    resource_type: null,
    retryable: error_class === 'internal',
    count: 1,
  };
}
