import type { Workspace } from '../../adapters/slack/types.ts';

/** The workspace that an organization has installed the app in. */
export interface ChatInstallation {
  id: string;
  team_id: string;
  team_name: string;
  enterprise_id: string | null;
  bot_user_id: string;
  scopes: string[];
  token_expires_at: Date | null;
  created_at: Date;
  /** When a person last connected it. */
  updated_at: Date;
}

/** An organization's workspace, ready for calls. */
export interface OpenedWorkspace {
  installation: ChatInstallation;
  workspace: Workspace;
}

/** Whose request it is, with the workspace that it came from. */
export interface Caller {
  org_id: string;
  opened: OpenedWorkspace;
}

/** Where in Slack somebody did something. */
export interface SlackPlace {
  team_id: string;
  /** Null if Slack does not name it. */
  channel_id: string | null;
}

/** @see openapi.yaml, ChatStatus */
export interface ChatStatus {
  /** Whether the deployment has an app. */
  available: boolean;
  installation: ChatInstallation | null;
}

/** The parameters with which Slack sends a person back; all can be forged. */
export interface CallbackQuery {
  state: string;
  code?: string | undefined;
  error?: string | undefined;
}

/** What the returning person is asked before a workspace joins an organization. */
export interface InstallPrompt {
  /** Goes into the form; works once, for ten minutes. */
  token: string;
  /** Goes into a cookie: the token works only in this browser, which also keeps the code. */
  browser: string;
  org: { display_name: string; slug: string };
  /** Email of the person who requested the link. */
  requested_by: string;
}

/** The submitted form; all of it can be forged. */
export interface Decision {
  token: string;
  browser: string | undefined;
  decision: 'install' | 'cancel';
}

/** Why nothing was installed. @see openapi.yaml, confirmChatInstallation */
export type Denial =
  | 'access_denied'
  | 'invalid_state'
  | 'confirmation_invalid'
  | 'exchange_failed'
  | 'enterprise_install'
  | 'team_linked'
  | 'other_team'
  | 'plan_limit'
  | 'role_lost';

export type ReturnOutcome = { chat: 'connected' } | { chat: 'denied'; reason: Denial };
