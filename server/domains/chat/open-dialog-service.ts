import { ChatError } from '../../lib/chat-error.ts';
import type { OpenedWorkspace } from './types.ts';

/** Opens a dialog. @returns what to tell the person instead; null if it is open. @throws ChatError */
export async function openDialog(
  { workspace }: OpenedWorkspace,
  trigger_id: string,
  view: object,
): Promise<string | null> {
  try {
    await workspace.openDialog(trigger_id, view);
    return null;
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    // An attempt before this one has opened it.
    if (error.code === 'exchanged_trigger_id') return null;
    if (error.code !== 'expired_trigger_id') throw error;
    return 'The dialog could not be opened in time. Press the button again.';
  }
}
