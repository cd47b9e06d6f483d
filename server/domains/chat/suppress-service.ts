import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { ButtonSigner } from '../../lib/button-signer.ts';
import { NotFound, ServiceError } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { SlackPress, SlackSubmission } from '../../lib/slack-request.ts';
import type { StateSigner } from '../../lib/state-signer.ts';
import type { Noise } from '../noise/index.ts';
import type { Scans } from '../scans/index.ts';
import { readTerms } from './dialog-blocks.ts';
import { digestPreview, openState, sealState } from './dialog-state.ts';
import { type NoisePreview, type NoisyResult, previewNoise } from './noise-choice.ts';
import { openDialog } from './open-dialog-service.ts';
import type { People } from './people-service.ts';
import { renderLine } from './posture-blocks.ts';
import { DEAD_BUTTON } from './press-service.ts';
import { renderSuppressDialog } from './suppress-blocks.ts';
import type { Caller } from './types.ts';

const SIGNED_AS = 'chat-suppress-v1';
/** As for the operation that suppresses patterns. */
const LEAST_ROLE = 'admin';
const DELETED = 'The result of this analysis was deleted.';
const NOTHING = 'The analysis has no recurring changes that a suppression would hide.';

/** What the dialog carries through Slack. */
interface SuppressState {
  scan_run_id: string;
  channel_id: string;
  /** Of what the person has seen. */
  digest: string;
}

export interface SuppressingDeps extends Pick<ServiceDeps, 'now'> {
  states: StateSigner;
  buttons: Pick<ButtonSigner, 'read'>;
  people: People;
  scans: Pick<Scans, 'get'>;
  noise: { patterns: Pick<Noise['patterns'], 'list'>; suppressions: Pick<Noise['suppressions'], 'suppress'> };
}

/** Suppresses the recurring noise of an analysis from its message, with a dialog that shows what that would hide. */
export function createSuppressing({ states, buttons, people, scans, noise, now }: SuppressingDeps) {
  /** Opens the dialog. @returns what to tell the person instead; null if it is open. @throws ChatError */
  async function open(body: SlackPress, { org_id, opened }: Caller): Promise<string | null> {
    const scan_run_id = buttons.read('suppress', org_id, body.actions[0]?.value ?? '');
    if (scan_run_id === undefined || body.trigger_id === undefined) return DEAD_BUTTON;
    const { missing } = await people.recognize(org_id, opened, body.user.id, LEAST_ROLE);
    if (missing !== null) return missing;
    const preview = await look(org_id, scan_run_id);
    if (preview === undefined) return DELETED;
    if (preview.hidden.length === 0) return NOTHING;
    const state = { scan_run_id, channel_id: body.channel?.id ?? '', digest: digestPreview(preview) };
    const sealed = sealState(states, SIGNED_AS, state, { org_id, now: now() });
    return openDialog(opened, body.trigger_id, renderSuppressDialog(sealed, preview));
  }

  /** What a suppression would hide now; undefined without a result. */
  async function look(org_id: string, scan_run_id: string): Promise<NoisePreview | undefined> {
    const found = await findResult(org_id, scan_run_id);
    if (found === undefined) return undefined;
    const { repo_owner, repo_name } = found.run;
    const repo = { repo_owner: repo_owner ?? undefined, repo_name: repo_name ?? undefined };
    const { patterns } = await noise.patterns.list(org_id, { ...repo, include_suppressed: false });
    return previewNoise(found.result, patterns);
  }

  async function findResult(org_id: string, scan_run_id: string) {
    try {
      const { run, result_text } = await scans.get(org_id, scan_run_id);
      return result_text === null ? undefined : { run, result: JSON.parse(result_text) as NoisyResult };
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  /** Suppresses what the dialog has shown. @throws ChatError */
  async function submit({ user, view }: SlackSubmission, { org_id, opened }: Caller): Promise<void> {
    const state = openState<SuppressState>(states, SIGNED_AS, view.private_metadata, { org_id, now: now() });
    if (state === undefined || state.channel_id === '') return;
    const { principal, missing } = await people.recognize(org_id, opened, user.id, LEAST_ROLE);
    const answer = principal === null ? missing : await suppress(org_id, principal, state, view);
    await opened.workspace.tell(state.channel_id, user.id, renderLine(answer));
  }

  async function suppress(
    org_id: string,
    principal: Principal,
    { scan_run_id, digest }: SuppressState,
    view: SlackSubmission['view'],
  ): Promise<string> {
    const preview = await look(org_id, scan_run_id);
    if (preview === undefined || digestPreview(preview) !== digest) {
      return 'Nothing was suppressed, because the patterns have changed since the dialog showed them. Press the button again.';
    }
    const { reason, days } = readTerms(view.state.values);
    const input = {
      fingerprints: preview.hidden.map(({ fingerprint }) => fingerprint),
      resource_addresses: preview.hidden.map(({ resource_address }) => resource_address),
      reason: reason || 'Suppressed from Slack.',
      duration: toDuration(days),
    };
    try {
      const suppressed = await noise.suppressions.suppress(principal, org_id, input);
      return `Suppressed from the next analysis on: ${suppressed.length === 1 ? '1 pattern' : `${suppressed.length} patterns`}.`;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      return `Nothing was suppressed: ${error.message}.`;
    }
  }

  return { open, submit };
}

export type Suppressing = ReturnType<typeof createSuppressing>;

/** @param days null = until somebody deletes the suppressions */
function toDuration(days: number | null): '7d' | '30d' | '90d' | 'forever' {
  if (days === 7) return '7d';
  if (days === 30) return '30d';
  return days === 90 ? '90d' : 'forever';
}
