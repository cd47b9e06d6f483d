import type { ChatApp, ListenOptions } from '../../adapters/slack/types.ts';
import { ChatError } from '../../lib/chat-error.ts';
import type { Answers } from './answer-service.ts';
import { renderLine, type SlackText } from './posture-blocks.ts';
import type { OpenedWorkspace, Workspaces } from './workspace-service.ts';

export interface ListenersDeps {
  app: Pick<ChatApp, 'respond'>;
  workspaces: Pick<Workspaces, 'open' | 'status' | 'forget'>;
  answers: Answers;
}

/** Whose request it is, with the workspace that it came from. */
export interface Caller {
  org_id: string;
  opened: OpenedWorkspace;
}

/** What the service does for each kind of request. */
export function createListeners(deps: ListenersDeps): Omit<ListenOptions<Caller>, 'log'> {
  const { app, workspaces, answers } = deps;

  /** The organization may have changed its workspace since the request. */
  async function authorize(team_id: string, org_id: string): Promise<Caller> {
    const opened = await workspaces.open(org_id);
    if (opened?.installation.team_id === team_id) return { org_id, opened };
    const code = 'workspace_changed';
    throw new ChatError('the organization no longer has the workspace', { code, is_final: true, retry_after_ms: null });
  }

  /** Only the person sees the answer. */
  async function reply({ response_url }: { response_url?: string | undefined }, answer: SlackText): Promise<void> {
    if (response_url !== undefined) await app.respond(response_url, answer);
  }

  return {
    authorize,
    listeners: {
      command: async (body, { org_id, opened }) => reply(body, await answers.answerCommand(org_id, opened, body)),
      actions: {
        rescan: async (body, { org_id, opened }) => reply(body, await answers.answerPress(org_id, opened, body)),
      },
      unknown_action: async (body) => reply(body, renderLine('This button no longer works.')),
      views: {},
      events: {
        async app_home_opened({ event: { user } }, { org_id, opened }) {
          const { blocks } = await answers.composeHome(org_id, opened, user);
          await opened.workspace.publishHome(user, blocks);
        },
        async link_shared() {},
      },
      async ended({ team_id, event, event_time }, org_id) {
        const { installation } = await workspaces.status(org_id);
        const is_app =
          event.type === 'app_uninstalled' || (event.type === 'tokens_revoked' && event.tokens.bot.length > 0);
        if (is_app && installation?.team_id === team_id) await workspaces.forget(org_id, new Date(event_time * 1_000));
      },
    },
  };
}
