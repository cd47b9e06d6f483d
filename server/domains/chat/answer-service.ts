import type { ServiceDeps } from '../../contract/service-deps.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { SlackCommand, SlackPress } from '../../lib/slack-request.ts';
import type { StateSigner } from '../../lib/state-signer.ts';
import type { Orgs } from '../orgs/index.ts';
import type { People } from './people-service.ts';
import {
  type AccountPosture,
  type ExplainedDrift,
  renderExplanation,
  renderHelp,
  renderLine,
  renderPosture,
  type SlackText,
} from './posture-blocks.ts';
import type { OpenedWorkspace } from './workspace-service.ts';

/** How long a button works. */
const BUTTON_MS = 7 * 86_400_000;
const EXPLAINED_ITEMS = 10;
const BUTTON_SIGNED_AS = 'chat-rescan-v1';

export interface AnswersDeps extends Pick<ServiceDeps, 'now'> {
  states: StateSigner;
  orgs: Pick<Orgs, 'get'>;
  people: People;
  /** The accounts of an organization, lowest coverage first. */
  getPosture: (org_id: string) => Promise<AccountPosture[]>;
  /** A drift snapshot with its first items; undefined if it was deleted. */
  findSnapshot: (org_id: string, id: string, limit: number) => Promise<ExplainedDrift | undefined>;
  /** The page of a scan's result; null if no public address is known. */
  resultUrl: (slug: string, scan_run_id: string) => string | null;
  createScan: (principal: Principal, org_id: string, input: { cloud_account_id: string }) => Promise<unknown>;
}

/** What people of a workspace ask for, and what the answers are. */
export function createAnswers(deps: AnswersDeps) {
  const { states, orgs, people, getPosture, findSnapshot, resultUrl, createScan, now } = deps;

  /** @throws ChatError */
  async function answerCommand(
    org_id: string,
    opened: OpenedWorkspace,
    { user_id, text }: SlackCommand,
  ): Promise<SlackText> {
    const [name = '', ...rest] = text.trim().split(/\s+/);
    if (name === 'status') return showStatus(org_id, opened, user_id);
    if (name === 'explain') return explainNamed(org_id, opened, user_id, rest.join(' '));
    if (name === 'scan') return scanNamed(org_id, opened, user_id, rest.join(' '));
    if (name === 'help' || name === '') return renderHelp();
    const help = renderHelp();
    return { ...help, blocks: [...renderLine(`There is no command ${name}.`).blocks, ...help.blocks] };
  }

  async function showStatus(org_id: string, opened: OpenedWorkspace, user_id: string): Promise<SlackText> {
    const { missing } = await people.recognize(org_id, opened, user_id, 'viewer');
    if (missing !== null) return renderLine(missing);
    const { display_name } = await orgs.get(org_id);
    return renderPosture(display_name, await getPosture(org_id), (id) => signRescan(org_id, id));
  }

  async function scanNamed(
    org_id: string,
    opened: OpenedWorkspace,
    user_id: string,
    account_name: string,
  ): Promise<SlackText> {
    const { principal, missing } = await people.recognize(org_id, opened, user_id, 'member');
    if (principal === null) return renderLine(missing);
    const account = await findNamed(org_id, account_name);
    return typeof account === 'string' ? renderLine(account) : scan(principal, org_id, account);
  }

  async function explainNamed(
    org_id: string,
    opened: OpenedWorkspace,
    user_id: string,
    account_name: string,
  ): Promise<SlackText> {
    const { missing } = await people.recognize(org_id, opened, user_id, 'viewer');
    if (missing !== null) return renderLine(missing);
    const account = await findNamed(org_id, account_name);
    if (typeof account === 'string') return renderLine(account);
    const { drift_snapshot_id: id, display_name } = account;
    const drift = id === null ? undefined : await findSnapshot(org_id, id, EXPLAINED_ITEMS);
    if (drift === undefined) return renderLine(`Drift of ${display_name} is not computed yet; scan it first.`);
    const { slug } = await orgs.get(org_id);
    return renderExplanation(account, drift, resultUrl(slug, drift.snapshot.scan_run_id));
  }

  /** @returns the account with this name or ID, or why there is not exactly one */
  async function findNamed(org_id: string, account_name: string): Promise<AccountPosture | string> {
    const name = account_name.toLowerCase();
    const found = (await getPosture(org_id)).filter(
      (one) => one.display_name.toLowerCase() === name || one.cloud_account_id === name,
    );
    const [account] = found;
    if (account === undefined) return `There is no account "${account_name}"; /drift status lists all accounts.`;
    if (found.length === 1) return account;
    const ids = found.map(({ cloud_account_id }) => cloud_account_id).join(', ');
    return `Several accounts are named "${account_name}". Use one of their IDs: ${ids}`;
  }

  /** @throws ChatError */
  async function answerPress(
    org_id: string,
    opened: OpenedWorkspace,
    { user, actions }: SlackPress,
  ): Promise<SlackText> {
    const cloud_account_id = readRescan(org_id, actions[0]?.value ?? '');
    if (cloud_account_id === null) return renderLine('This button no longer works. Use /drift status for a new one.');
    const { principal, missing } = await people.recognize(org_id, opened, user.id, 'member');
    if (principal === null) return renderLine(missing);
    const account = (await getPosture(org_id)).find((one) => one.cloud_account_id === cloud_account_id);
    return account === undefined ? renderLine('This account was deleted.') : scan(principal, org_id, account);
  }

  async function scan(principal: Principal, org_id: string, account: AccountPosture): Promise<SlackText> {
    const { cloud_account_id, display_name } = account;
    try {
      await createScan(principal, org_id, { cloud_account_id });
      return renderLine(`A scan of ${display_name} has started. Differences are reported where notifications go.`);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      return renderLine(`No scan of ${display_name} was started: ${error.message}.`);
    }
  }

  /** The home tab of one person; it has no buttons, because Slack gives a press there no place for an answer. */
  async function composeHome(org_id: string, opened: OpenedWorkspace, user_id: string): Promise<SlackText> {
    const { missing } = await people.recognize(org_id, opened, user_id, 'viewer');
    if (missing !== null) return renderLine(missing);
    const { display_name } = await orgs.get(org_id);
    return renderPosture(display_name, await getPosture(org_id), null);
  }

  function signRescan(org_id: string, id: string): string {
    return states.sign(BUTTON_SIGNED_AS, JSON.stringify({ exp: now().getTime() + BUTTON_MS, id, org_id }));
  }

  /** @returns null if this service did not sign the value for this organization, or it is too old */
  function readRescan(org_id: string, value: string): string | null {
    const content = states.open(BUTTON_SIGNED_AS, value);
    if (content === undefined) return null;
    const { exp, id, org_id: signed_for }: { exp: number; id: string; org_id: string } = JSON.parse(content);
    return signed_for === org_id && exp > now().getTime() ? id : null;
  }

  return { answerCommand, answerPress, composeHome };
}

export type Answers = ReturnType<typeof createAnswers>;
