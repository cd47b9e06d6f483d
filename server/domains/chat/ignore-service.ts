import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { ButtonSigner } from '../../lib/button-signer.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { SlackPress, SlackSubmission } from '../../lib/slack-request.ts';
import { showTime } from '../../lib/slack-text.ts';
import type { StateSigner } from '../../lib/state-signer.ts';
import type { Handling } from '../notifications/index.ts';
import {
  ACTIONS,
  type DialogGroup,
  FIELDS,
  readTerms,
  renderDialog,
  renderDialogText,
  type ShownPreview,
} from './dialog-blocks.ts';
import {
  type Choice,
  type DialogState,
  digestPreview,
  formatChoice,
  parseChoice,
  readDialog,
  signDialog,
} from './dialog-state.ts';
import { type Conditions, describeChosen, findType, isIgnorable, nameItem, toConditions } from './ignore-choice.ts';
import { openDialog } from './open-dialog-service.ts';
import { findName, type People } from './people-service.ts';
import { type AccountPosture, type ExplainedDrift, renderLine } from './posture-blocks.ts';
import { DEAD_BUTTON } from './press-service.ts';
import type { Caller } from './types.ts';

const DAY_MS = 86_400_000;
/** Slack shows at most 100 entries of a list. */
const MOST_DIFFERENCES = 100;
/** As for the operation that creates a rule. */
const LEAST_ROLE = 'admin';
const GONE = 'The drift that this message tells of is gone.';
const CLOSED = 'This dialog is too old. Press the button again.';

/** A drift ignore rule, as the drift domain takes it. */
export interface RuleInput extends Conditions {
  reason: string;
  expires_at?: string | null;
}

export interface IgnoringDeps extends Pick<ServiceDeps, 'now'> {
  states: StateSigner;
  buttons: Pick<ButtonSigner, 'read'>;
  people: People;
  drift: Pick<Handling, 'listAccounts' | 'show'>;
  getPosture: (org_id: string) => Promise<AccountPosture[]>;
  findSnapshot: (org_id: string, id: string, limit: number) => Promise<ExplainedDrift | undefined>;
  ignoreRules: {
    preview: (org_id: string, scan_run_id: string, input: RuleInput) => Promise<ShownPreview>;
    /** @returns undefined if there is such a rule */
    createOnce: (principal: Principal, org_id: string, input: RuleInput) => Promise<{ id: string } | undefined>;
  };
}

interface Chosen {
  choice: Choice;
  item: ExplainedDrift['items'][number];
  preview: ShownPreview;
  cloud_account_id: string;
}

/** Ignores drift from a message, with a dialog that shows what the rule would hide before it exists. */
export function createIgnoring(deps: IgnoringDeps) {
  const { states, buttons, people, drift, getPosture, findSnapshot, ignoreRules, now } = deps;

  /** Opens the dialog. @returns what to tell the person instead; null if it is open. @throws ChatError */
  async function open(body: SlackPress, { org_id, opened }: Caller): Promise<string | null> {
    const thread_id = buttons.read('ignore', org_id, body.actions[0]?.value ?? '');
    if (thread_id === undefined || body.trigger_id === undefined) return DEAD_BUTTON;
    const { missing } = await people.recognize(org_id, opened, body.user.id, LEAST_ROLE);
    if (missing !== null) return missing;
    const groups = await listGroups(org_id, thread_id);
    if (groups.length === 0) return GONE;
    const state = seal(org_id, { thread_id, channel_id: body.channel?.id ?? '', shown: null });
    return openDialog(opened, body.trigger_id, renderDialog({ state, groups, chosen: null }));
  }

  /** Shows what a rule for the chosen difference would hide. @throws ChatError */
  async function choose({ user, view }: SlackPress, { org_id, opened }: Caller): Promise<void> {
    if (view === undefined) return;
    const show = (shown: object) => opened.workspace.updateDialog(view.id, shown);
    const { missing } = await people.recognize(org_id, opened, user.id, LEAST_ROLE);
    if (missing !== null) return show(renderDialogText(missing));
    const state = unseal(org_id, view.private_metadata);
    if (state === undefined) return show(renderDialogText(CLOSED));
    const picked = (field: keyof typeof ACTIONS) =>
      view.state.values[FIELDS[field]]?.[ACTIONS[field]]?.selected_option?.value;
    const chosen = await look(org_id, state, parseChoice(picked('difference') ?? '', picked('scope')));
    if (chosen === undefined) return show(renderDialogText(GONE));
    const { choice, item, preview } = chosen;
    const shown = { choice, digest: digestPreview(preview) };
    await show(
      renderDialog({
        state: seal(org_id, { ...state, shown }),
        groups: await listGroups(org_id, state.thread_id),
        chosen: { value: formatChoice(choice), scope: choice.scope, type: findType(item), preview },
      }),
    );
  }

  /** Creates the rule that the dialog has shown, once. @throws ChatError */
  async function submit({ user, view }: SlackSubmission, { org_id, opened }: Caller): Promise<void> {
    const state = unseal(org_id, view.private_metadata);
    if (state === undefined || state.channel_id === '') return;
    const { principal, missing } = await people.recognize(org_id, opened, user.id, LEAST_ROLE);
    const answer = principal === null ? missing : await create(org_id, principal, state, readInputs(view));
    await opened.workspace.tell(state.channel_id, user.id, renderLine(answer));
  }

  async function create(
    org_id: string,
    principal: Principal,
    state: DialogState,
    { reason, expires_at }: Pick<RuleInput, 'reason' | 'expires_at'>,
  ): Promise<string> {
    const chosen = await look(org_id, state, state.shown?.choice);
    if (chosen === undefined) return GONE;
    if (digestPreview(chosen.preview) !== state.shown?.digest) {
      return 'Nothing was ignored, because the drift has changed since the dialog showed it. Press the button again.';
    }
    try {
      const input = { ...toConditions(chosen), reason, expires_at: expires_at ?? null };
      const rule = await ignoreRules.createOnce(principal, org_id, input);
      if (rule === undefined) return 'A rule that ignores this exists already.';
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      return `Nothing was ignored: ${error.message}.`;
    }
    const until = expires_at ?? null;
    const what = describeChosen(chosen);
    const by = findName(principal);
    await drift.show(org_id, [chosen.cloud_account_id], { action: 'ignored', by, until, what });
    return `Ignored from the next scan on${until === null ? '' : ` until ${showTime(until)}`}: ${what}.`;
  }

  /** The difference as it is now, and what a rule would hide; undefined if it is gone, or of another message. */
  async function look(org_id: string, { thread_id }: DialogState, choice?: Choice): Promise<Chosen | undefined> {
    if (choice === undefined) return undefined;
    const account = (await listSnapshots(org_id, thread_id)).find((one) => one.snapshot_id === choice.snapshot_id);
    const item = account?.drift.items.find(({ id }) => id === choice.item_id);
    if (account === undefined || item === undefined) return undefined;
    const { scan_run_id } = account.drift.snapshot;
    const input = { ...toConditions({ choice, item }), reason: 'preview' };
    const preview = await ignoreRules.preview(org_id, scan_run_id, input);
    return { choice, item, preview, cloud_account_id: account.cloud_account_id };
  }

  async function listGroups(org_id: string, thread_id: string): Promise<DialogGroup[]> {
    const accounts = await listSnapshots(org_id, thread_id);
    let room = MOST_DIFFERENCES;
    const groups: DialogGroup[] = [];
    for (const { display_name, snapshot_id, drift: found } of accounts) {
      const items = found.items.filter(isIgnorable).slice(0, room);
      room -= items.length;
      const options = items.map((item) => ({
        value: formatChoice({ snapshot_id, item_id: item.id }),
        name: `${nameItem(item)}, ${item.level}`,
      }));
      if (options.length > 0) groups.push({ display_name, options });
    }
    return groups;
  }

  /** The latest drift of the accounts that a message tells of. */
  async function listSnapshots(org_id: string, thread_id: string) {
    const known = new Set((await drift.listAccounts(org_id, thread_id)).map((one) => one.cloud_account_id));
    const accounts = (await getPosture(org_id)).filter(({ cloud_account_id }) => known.has(cloud_account_id));
    const found = [];
    for (const { cloud_account_id, display_name, drift_snapshot_id: snapshot_id } of accounts) {
      if (snapshot_id === null) continue;
      const snapshot = await findSnapshot(org_id, snapshot_id, MOST_DIFFERENCES);
      if (snapshot !== undefined) found.push({ cloud_account_id, display_name, snapshot_id, drift: snapshot });
    }
    return found;
  }

  function seal(org_id: string, state: DialogState): string {
    return signDialog(states, state, { org_id, now: now() });
  }

  function unseal(org_id: string, text: string): DialogState | undefined {
    return readDialog(states, text, { org_id, now: now() });
  }

  function readInputs({ state: { values } }: SlackSubmission['view']): Pick<RuleInput, 'reason' | 'expires_at'> {
    const { reason, days } = readTerms(values);
    const expires_at = days === null ? null : new Date(now().getTime() + days * DAY_MS).toISOString();
    return { reason: reason || 'Ignored from Slack.', expires_at };
  }

  return { open, choose, submit };
}

export type Ignoring = ReturnType<typeof createIgnoring>;
