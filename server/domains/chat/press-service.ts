import type { ButtonSigner } from '../../lib/button-signer.ts';
import type { Principal } from '../../lib/principal.ts';
import type { SlackPress } from '../../lib/slack-request.ts';
import { showTime } from '../../lib/slack-text.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Handling } from '../notifications/index.ts';
import { findName, type People } from './people-service.ts';
import type { Scanning } from './scan-service.ts';
import type { Caller, SlackPlace } from './types.ts';

export const DEAD_BUTTON = 'This button no longer works. Use /drift status for a new one.';
const GONE = 'The drift that this message tells of is gone.';

export interface PressesDeps {
  buttons: Pick<ButtonSigner, 'read'>;
  people: People;
  scanning: Scanning;
  audit: Pick<AuditWriter, 'record'>;
  drift: Pick<Handling, 'snooze' | 'acknowledge' | 'listAccounts'>;
  /** An account by its ID; undefined if it was deleted. */
  findAccount: (
    org_id: string,
    cloud_account_id: string,
  ) => Promise<{ cloud_account_id: string; display_name: string } | undefined>;
}

type Deed = (principal: Principal, org_id: string, id: string, place: SlackPlace) => Promise<string>;

/** What members do with the buttons of messages; each press is checked as if it were the first. */
export function createPresses({ buttons, people, scanning, audit, drift, findAccount }: PressesDeps) {
  /** @returns what to tell the person. @throws ChatError */
  async function press(body: SlackPress, { org_id, opened }: Caller, deed: Deed): Promise<string> {
    const [{ action_id, value = '' } = { action_id: '' }] = body.actions;
    const id = buttons.read(action_id, org_id, value);
    if (id === undefined) return DEAD_BUTTON;
    const { principal, missing } = await people.recognize(org_id, opened, body.user.id, 'member');
    return principal === null ? missing : deed(principal, org_id, id, findPlace(body));
  }

  const scanAccount: Deed = async (principal, org_id, id, place) => {
    const account = await findAccount(org_id, id);
    return account === undefined ? 'This account was deleted.' : scanning.scan(principal, org_id, account, place);
  };

  const scanAgain: Deed = async (principal, org_id, id, place) => {
    const answers: string[] = [];
    for (const account of await drift.listAccounts(org_id, id)) {
      answers.push(await scanning.scan(principal, org_id, account, place));
    }
    return answers.length === 0 ? GONE : answers.join('\n');
  };

  const snooze: Deed = async (principal, org_id, id, place) => {
    const done = await drift.snooze(org_id, id, findName(principal));
    if (done.outcome === 'gone') return GONE;
    const until = done.at.toISOString();
    if (done.outcome === 'before') return `${done.by} has snoozed this until ${showTime(until)}.`;
    const detail = { ...place, cloud_account_ids: done.cloud_account_ids, until };
    await audit.record({ action: 'chat.drift_snoozed', org_id, actor_email: principal.user.email, detail });
    return `Snoozed until ${showTime(until)}. Nobody is notified of this drift before, unless it becomes worse.`;
  };

  const acknowledge: Deed = async (principal, org_id, id, place) => {
    const done = await drift.acknowledge(org_id, id, findName(principal));
    if (done.outcome === 'gone') return GONE;
    if (done.outcome === 'before') return `${done.by} has acknowledged this on ${showTime(done.at.toISOString())}.`;
    const detail = { ...place, cloud_account_ids: done.cloud_account_ids };
    await audit.record({ action: 'chat.drift_acknowledged', org_id, actor_email: principal.user.email, detail });
    return 'Acknowledged. The message shows your name until the drift is gone.';
  };

  return {
    rescan: (body: SlackPress, caller: Caller) => press(body, caller, scanAccount),
    scan_again: (body: SlackPress, caller: Caller) => press(body, caller, scanAgain),
    snooze: (body: SlackPress, caller: Caller) => press(body, caller, snooze),
    acknowledge: (body: SlackPress, caller: Caller) => press(body, caller, acknowledge),
  };
}

export type Presses = ReturnType<typeof createPresses>;

/** Where a button was pressed. */
function findPlace({ team, channel }: SlackPress): SlackPlace {
  return { team_id: team.id, channel_id: channel?.id ?? null };
}
