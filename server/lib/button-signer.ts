import type { StateSigner } from './state-signer.ts';

const SIGNED_AS = 'chat-button-v1';

/** A button in a message about drift that nothing changes. */
const LASTS_MS = 90 * 86_400_000;

/** Values of buttons in messages: IDs that work for one organization and one action, for 90 days. */
export interface ButtonSigner {
  sign(action: string, target: { org_id: string; id: string }): string;
  /** @returns the ID; undefined if this service did not sign the value for this organization and action, or it is too old */
  read(action: string, org_id: string, value: string): string | undefined;
}

export function createButtonSigner(states: StateSigner, now: () => Date): ButtonSigner {
  return {
    sign: (action, { org_id, id }) =>
      states.sign(SIGNED_AS, JSON.stringify({ action, exp: now().getTime() + LASTS_MS, id, org_id })),
    read(action, org_id, value) {
      const content = states.open(SIGNED_AS, value);
      if (content === undefined) return undefined;
      const signed: { action: string; exp: number; id: string; org_id: string } = JSON.parse(content);
      const is_valid = signed.action === action && signed.org_id === org_id && signed.exp > now().getTime();
      return is_valid ? signed.id : undefined;
    },
  };
}
