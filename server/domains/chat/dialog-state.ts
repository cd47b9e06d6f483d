/** What a dialog carries through Slack, signed: for which organization, from which message, and what it has shown. */
import { hash } from 'node:crypto';
import type { StateSigner } from '../../lib/state-signer.ts';

const SIGNED_AS = 'chat-dialog-v1';
const LASTS_MS = 3_600_000;

export interface DialogState {
  /** The message that the dialog was opened from. */
  thread_id: string;
  channel_id: string;
  /** What the person chose, and a digest of what the dialog said about it; null before. */
  shown: { choice: Choice; digest: string } | null;
}

/** A difference, and whether only it is meant or all that are like it. */
export interface Choice {
  snapshot_id: string;
  item_id: string;
  scope: Scope;
}

export type Scope = 'one' | 'type';

export function signDialog(
  states: StateSigner,
  state: DialogState,
  { org_id, now }: { org_id: string; now: Date },
): string {
  return sealState(states, SIGNED_AS, state, { org_id, now });
}

/** @returns undefined if this service did not sign the state for this organization, or it is too old */
export function readDialog(
  states: StateSigner,
  text: string,
  { org_id, now }: { org_id: string; now: Date },
): DialogState | undefined {
  return openState<DialogState>(states, SIGNED_AS, text, { org_id, now });
}

/** Signs what a dialog carries, for one organization and an hour. @param signed_as names the kind of dialog */
export function sealState<State extends object>(
  states: StateSigner,
  signed_as: string,
  state: State,
  { org_id, now }: { org_id: string; now: Date },
): string {
  return states.sign(signed_as, JSON.stringify({ state, org_id, exp: now.getTime() + LASTS_MS }));
}

/** @returns undefined if this service did not sign it for this organization and kind of dialog, or it is too old */
export function openState<State extends object>(
  states: StateSigner,
  signed_as: string,
  text: string,
  { org_id, now }: { org_id: string; now: Date },
): State | undefined {
  const content = states.open(signed_as, text);
  if (content === undefined) return undefined;
  const { org_id: signed_for, exp, state }: { org_id: string; exp: number; state: State } = JSON.parse(content);
  return signed_for === org_id && exp > now.getTime() ? state : undefined;
}

/** @param text `snapshot:item`, as the list of the dialog has it */
export function parseChoice(text: string, scope: string | undefined): Choice | undefined {
  const [snapshot_id = '', item_id = '', ...rest] = text.split(':');
  if (!UUID.test(snapshot_id) || !UUID.test(item_id) || rest.length > 0) return undefined;
  return { snapshot_id, item_id, scope: scope === 'type' ? 'type' : 'one' };
}

export function formatChoice({ snapshot_id, item_id }: Omit<Choice, 'scope'>): string {
  return `${snapshot_id}:${item_id}`;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The same for the same preview. */
export function digestPreview(preview: unknown): string {
  return hash('sha256', JSON.stringify(preview), 'base64url');
}
