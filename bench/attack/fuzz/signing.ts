import { createHmac } from 'node:crypto';
import { examples } from '../../../test/fakes/github-server.ts';
import type { Dice } from '../dice.ts';

const GITLAB_EVENTS = ['Pipeline Hook', 'Merge Request Hook', 'Note Hook', 'Job Hook', 'Push Hook', 'x'];

/** Signs deliveries with the secrets of the webhooks, so that the service reads their bodies. */
export function createSigner(app_secret: string) {
  const by_config = new Map<string, string>();
  return {
    /** Stores the secret that the response to a new webhook contains. */
    learn(body: unknown): void {
      const { id, raw_secret } = body as { id?: unknown; raw_secret?: unknown };
      if (typeof id === 'string' && typeof raw_secret === 'string') by_config.set(id, raw_secret);
    },

    /** Headers of a valid delivery; none if the operation does not receive deliveries. */
    sign(operation_id: string, config_id: string, bytes: Buffer, dice: Dice): Record<string, string> {
      if (operation_id === 'receiveGitlabWebhook') {
        const sender = { 'x-gitlab-event': dice.pick(GITLAB_EVENTS), 'x-gitlab-webhook-uuid': dice.hex(32) };
        return { ...sender, 'x-gitlab-event-uuid': dice.hex(32), 'x-gitlab-token': by_config.get(config_id) ?? 'x' };
      }
      if (!operation_id.startsWith('receiveGithub')) return {};
      const secret = operation_id === 'receiveGithubAppWebhook' ? app_secret : (by_config.get(config_id) ?? 'x');
      return {
        'x-github-event': dice.pick(examples()).name,
        'x-github-delivery': dice.hex(32),
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`,
      };
    },
  };
}

export type Signer = ReturnType<typeof createSigner>;

/** A recorded GitHub payload of a random event. */
export function githubPayload(dice: Dice): unknown {
  return structuredClone(dice.pick(dice.pick(examples()).examples));
}
