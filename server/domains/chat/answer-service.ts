import type { ButtonSigner } from '../../lib/button-signer.ts';
import type { SlackCommand } from '../../lib/slack-request.ts';
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
import type { Scanning } from './scan-service.ts';
import type { Caller, SlackPlace } from './types.ts';

const EXPLAINED_ITEMS = 10;

export interface AnswersDeps {
  buttons: Pick<ButtonSigner, 'sign'>;
  orgs: Pick<Orgs, 'get'>;
  people: People;
  /** The accounts of an organization, lowest coverage first. */
  getPosture: (org_id: string) => Promise<AccountPosture[]>;
  /** A drift snapshot with its first items; undefined if it was deleted. */
  findSnapshot: (org_id: string, id: string, limit: number) => Promise<ExplainedDrift | undefined>;
  /** The page of a scan's result; null if no public address is known. */
  resultUrl: (slug: string, scan_run_id: string) => string | null;
  scanning: Scanning;
}

interface AskedAccount {
  user_id: string;
  account_name: string;
}

/** What people of a workspace ask for, and what the answers are. */
export function createAnswers(deps: AnswersDeps) {
  const { buttons, orgs, people, getPosture, findSnapshot, resultUrl, scanning } = deps;

  /** @throws ChatError */
  async function answerCommand(
    { user_id, text, team_id, channel_id }: SlackCommand,
    caller: Caller,
  ): Promise<SlackText> {
    const [name = '', ...rest] = text.trim().split(/\s+/);
    const asked = { user_id, account_name: rest.join(' ') };
    if (name === 'status') return showStatus(caller, user_id);
    if (name === 'explain') return explainNamed(caller, asked);
    if (name === 'scan') return scanNamed(caller, { ...asked, team_id, channel_id: channel_id ?? null });
    if (name === 'help' || name === '') return renderHelp();
    const help = renderHelp();
    return { ...help, blocks: [...renderLine(`There is no command ${name}.`).blocks, ...help.blocks] };
  }

  async function showStatus({ org_id, opened }: Caller, user_id: string): Promise<SlackText> {
    const { missing } = await people.recognize(org_id, opened, user_id, 'viewer');
    if (missing !== null) return renderLine(missing);
    const { display_name } = await orgs.get(org_id);
    return renderPosture(display_name, await getPosture(org_id), (id) => buttons.sign('rescan', { org_id, id }));
  }

  async function scanNamed(
    { org_id, opened }: Caller,
    { user_id, account_name, ...place }: AskedAccount & SlackPlace,
  ): Promise<SlackText> {
    const { principal, missing } = await people.recognize(org_id, opened, user_id, 'member');
    if (principal === null) return renderLine(missing);
    const account = await findNamed(org_id, account_name);
    if (typeof account === 'string') return renderLine(account);
    return renderLine(await scanning.scan(principal, org_id, account, place));
  }

  async function explainNamed({ org_id, opened }: Caller, { user_id, account_name }: AskedAccount): Promise<SlackText> {
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

  /** The home tab of one person; it has no buttons, because Slack gives a press there no place for an answer. */
  async function composeHome({ org_id, opened }: Caller, user_id: string): Promise<SlackText> {
    const { missing } = await people.recognize(org_id, opened, user_id, 'viewer');
    if (missing !== null) return renderLine(missing);
    const { display_name } = await orgs.get(org_id);
    return renderPosture(display_name, await getPosture(org_id), null);
  }

  return { answerCommand, composeHome };
}

export type Answers = ReturnType<typeof createAnswers>;
