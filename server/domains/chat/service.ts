import { setTimeout as wait } from 'node:timers/promises';
import { type AnswersDeps, createAnswers } from './answer-service.ts';
import { type CallbackDeps, createCallback } from './callback-service.ts';
import { createChannels } from './channels-service.ts';
import { createHandling, type HandlingDeps } from './handle-service.ts';
import { createIgnoring, type IgnoringDeps } from './ignore-service.ts';
import { createInstalls, type InstallsDeps } from './install-service.ts';
import { createIntake, type IntakeDeps } from './intake.ts';
import { createListeners } from './listeners.ts';
import { createPeople, type PeopleDeps } from './people-service.ts';
import { createPresses, type PressesDeps } from './press-service.ts';
import { createSlackReceiver, type SlackReceiverDeps } from './receive-service.ts';
import { createScanning, type ScanningDeps } from './scan-service.ts';
import { createSuppressing, type SuppressingDeps } from './suppress-service.ts';
import { createUnfurls, type UnfurlsDeps } from './unfurl-service.ts';
import { createWorkspaces, type WorkspacesDeps } from './workspace-service.ts';

/** Functions that the chat services provide to each other. */
type InternalDeps = 'installs' | 'workspaces' | 'people' | 'scanning' | 'findAccount' | 'inbox' | 'intake';

export type ChatDeps = Omit<
  CallbackDeps &
    InstallsDeps &
    WorkspacesDeps &
    SlackReceiverDeps &
    IntakeDeps &
    PeopleDeps &
    AnswersDeps &
    ScanningDeps &
    PressesDeps &
    IgnoringDeps &
    SuppressingDeps &
    UnfurlsDeps &
    HandlingDeps,
  InternalDeps | 'app'
> &
  Pick<CallbackDeps, 'app'>;

/** The Slack app of the deployment, in the workspaces of organizations. */
export function createChat(deps: ChatDeps) {
  const installs = createInstalls(deps);
  const workspaces = createWorkspaces(deps);
  const { app, log } = deps;
  const people = createPeople(deps);
  const scanning = createScanning(deps);
  const answers = createAnswers({ ...deps, people, scanning });
  const presses = createPresses({ ...deps, people, scanning, findAccount });
  const ignoring = createIgnoring({ ...deps, people });
  const suppressing = createSuppressing({ ...deps, people });
  const unfurls = createUnfurls({ ...deps, people });
  const inbox =
    app?.listen({ ...createListeners({ app, workspaces, answers, presses, ignoring, suppressing, unfurls }), log }) ??
    null;

  async function findAccount(org_id: string, id: string) {
    return (await deps.getPosture(org_id)).find(({ cloud_account_id }) => cloud_account_id === id);
  }

  return {
    callback: createCallback({ ...deps, installs }),
    workspaces,
    channels: createChannels({ workspaces, wait }),
    receiver: createSlackReceiver({ ...deps, intake: createIntake(deps) }),
    handling: createHandling({ ...deps, workspaces, inbox }),
  };
}

export type Chat = ReturnType<typeof createChat>;
