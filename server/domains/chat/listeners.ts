import type { ChatApp, ListenOptions } from '../../adapters/slack/types.ts';
import { ChatError } from '../../lib/chat-error.ts';
import type { SlackPress } from '../../lib/slack-request.ts';
import type { Answers } from './answer-service.ts';
import { ACTIONS, IGNORE_DIALOG } from './dialog-blocks.ts';
import type { Ignoring } from './ignore-service.ts';
import { renderLine, type SlackText } from './posture-blocks.ts';
import type { Presses } from './press-service.ts';
import { SUPPRESS_DIALOG } from './suppress-blocks.ts';
import type { Suppressing } from './suppress-service.ts';
import type { Caller } from './types.ts';
import type { Unfurls } from './unfurl-service.ts';
import type { Workspaces } from './workspace-service.ts';

export interface ListenersDeps {
  app: Pick<ChatApp, 'respond'>;
  workspaces: Pick<Workspaces, 'open' | 'status' | 'forget'>;
  answers: Answers;
  presses: Presses;
  ignoring: Ignoring;
  suppressing: Suppressing;
  unfurls: Unfurls;
}

/** What the service does for each kind of request. */
export function createListeners(deps: ListenersDeps): Omit<ListenOptions<Caller>, 'log'> {
  const { app, workspaces, answers, presses, ignoring, suppressing, unfurls } = deps;

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

  const answer =
    (run: (body: SlackPress, caller: Caller) => Promise<string | null>) => async (body: SlackPress, caller: Caller) => {
      const text = await run(body, caller);
      if (text !== null) await reply(body, renderLine(text));
    };

  return {
    authorize,
    listeners: {
      command: async (body, caller) => reply(body, await answers.answerCommand(body, caller)),
      actions: {
        rescan: answer(presses.rescan),
        scan_again: answer(presses.scan_again),
        snooze: answer(presses.snooze),
        acknowledge: answer(presses.acknowledge),
        ignore: answer(ignoring.open),
        suppress: answer(suppressing.open),
        [ACTIONS.difference]: ignoring.choose,
        [ACTIONS.scope]: ignoring.choose,
      },
      unknown_action: async (body) => reply(body, renderLine('This button no longer works.')),
      views: { [IGNORE_DIALOG]: ignoring.submit, [SUPPRESS_DIALOG]: suppressing.submit },
      events: {
        async app_home_opened({ event: { user } }, caller) {
          const { blocks } = await answers.composeHome(caller, user);
          await caller.opened.workspace.publishHome(user, blocks);
        },
        link_shared: unfurls.unfurl,
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
