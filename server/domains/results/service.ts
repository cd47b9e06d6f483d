import type { PlanPool } from '../../adapters/plan-pool/types.ts';
import { HtmlPage } from '../../contract/html-page.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Principal } from '../../lib/principal.ts';
import { formatRepo } from '../../lib/repo.ts';
import type { StateSigner } from '../../lib/state-signer.ts';
import { resultPath, servicePage } from '../../lib/web-links.ts';
import type { RunFacts } from '../../pages/result/run.ts';
import { statePage } from '../../pages/result/state-page.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { ScanRun, Scans } from '../scans/index.ts';
import { readLink, signLink } from './link.ts';

export interface ResultsDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  states: StateSigner;
  orgs: Pick<Orgs, 'findRole'>;
  identity: Pick<Identity, 'getMe'>;
  scans: Pick<Scans, 'get' | 'isRun'>;
  audit: AuditWriter;
  /** Renders the page of a stored result, outside of the event loop. */
  pool: Pick<PlanPool, 'resultPage'>;
  /** Public address of the service; null = links are paths. */
  api_url: string | null;
}

/** The result of verifying a signed link. */
export type OpenedLink = { state: 'valid'; org_id: string } | { state: 'expired'; at: Date } | { state: 'invalid' };

/** Results as pages for people, and links that show them without a credential. */
export function createResults({ db, states, orgs, identity, scans, audit, pool, api_url, now }: ResultsDeps) {
  /** Creates a link that shows one existing result to anyone who has it. */
  async function createLink(
    { user }: Principal,
    org_id: string,
    scan_run_id: string,
    expires_in_s: number,
  ): Promise<{ url: string; expires_at: Date }> {
    const exp = Math.floor(now().getTime() / 1000) + expires_in_s;
    const signed = signLink(states, { exp, org_id, scan_run_id, user_id: user.id });
    const expires_at = new Date(exp * 1000);
    const detail = { scan_run_id, expires_at: expires_at.toISOString() };
    await audit.record({ action: 'scan_link.created', org_id, actor_email: user.email, detail });
    return { url: `${servicePage({ api_url }, resultPath(scan_run_id))}?link=${signed}`, expires_at };
  }

  /** Verifies a link: it shows the result it was created for, while its creator is a member of the organization. */
  async function openLink(text: string, scan_run_id: string): Promise<OpenedLink> {
    const link = readLink(states, text);
    if (link === undefined || link.scan_run_id !== scan_run_id) return { state: 'invalid' };
    const at = new Date(link.exp * 1000);
    if (at <= now()) return { state: 'expired', at };
    const { org_id, user_id } = link;
    const role = await db.readInOrg(org_id, (read) => orgs.findRole(read, org_id, user_id));
    return role === undefined ? { state: 'invalid' } : { state: 'valid', org_id };
  }

  /**
   * The organization in which to look for a result, because the URL of a page does not contain it.
   *
   * @returns for an API key its organization, whether it has the result or not; for a person the one that has the
   *   result, undefined if none has it
   */
  async function findOrgId(principal: Principal, scan_run_id: string): Promise<string | undefined> {
    if (principal.key !== null) return principal.key.org_id;
    const { memberships } = await identity.getMe(principal);
    for (const { org_id } of memberships) {
      if (await scans.isRun(org_id, scan_run_id)) return org_id;
    }
    return undefined;
  }

  /** @throws NotFound; Unprocessable `plan_too_complex` */
  async function getPage(org_id: string, scan_run_id: string): Promise<HtmlPage> {
    const { run, result_text } = await scans.get(org_id, scan_run_id);
    const facts = runFacts(run);
    if (run.status === 'done' && result_text !== null) {
      return new HtmlPage(await pool.resultPage(org_id, result_text, facts));
    }
    return statePage(run.status, run.scan_errors, facts);
  }

  return { createLink, openLink, findOrgId, getPage };
}

export type Results = ReturnType<typeof createResults>;

function runFacts(run: ScanRun): RunFacts {
  const { id, org_id, repo_url, pr_number, branch, commit_sha, created_at, finished_at } = run;
  return {
    id,
    org_id,
    repo: formatRepo(run.repo_owner, run.repo_name),
    repo_url,
    pr_number,
    branch,
    commit_sha,
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  };
}
