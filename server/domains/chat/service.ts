import { type AnswersDeps, createAnswers } from './answer-service.ts';
import { type CallbackDeps, createCallback } from './callback-service.ts';
import { createHandling, type HandlingDeps } from './handle-service.ts';
import { createInstalls, type InstallsDeps } from './install-service.ts';
import { createListeners } from './listeners.ts';
import { createPeople, type PeopleDeps } from './people-service.ts';
import { createSlackReceiver, type SlackReceiverDeps } from './receive-service.ts';
import { createWorkspaces, type WorkspacesDeps } from './workspace-service.ts';

/** Functions that the chat services provide to each other. */
type InternalDeps = 'installs' | 'workspaces' | 'answers' | 'people' | 'inbox';

export type ChatDeps = Omit<
  CallbackDeps & InstallsDeps & WorkspacesDeps & SlackReceiverDeps & PeopleDeps & AnswersDeps & HandlingDeps,
  InternalDeps | 'app'
> &
  Pick<CallbackDeps, 'app'>;

/** The Slack app of the deployment, in the workspaces of organizations. */
export function createChat(deps: ChatDeps) {
  const installs = createInstalls(deps);
  const workspaces = createWorkspaces(deps);
  const { app, log } = deps;
  const answers = createAnswers({ ...deps, people: createPeople(deps) });
  const inbox = app?.listen({ ...createListeners({ app, workspaces, answers }), log }) ?? null;
  return {
    callback: createCallback({ ...deps, installs }),
    workspaces,
    receiver: createSlackReceiver(deps),
    handling: createHandling({ ...deps, workspaces, inbox }),
  };
}

export type Chat = ReturnType<typeof createChat>;
