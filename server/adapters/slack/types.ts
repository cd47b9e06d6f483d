import type {
  SlackBody,
  SlackCommand,
  SlackEvent,
  SlackEventOf,
  SlackPress,
  SlackSubmission,
} from '../../lib/slack-request.ts';

/** A message in a channel of a chat workspace. */
export interface ChatMessage {
  /** Shown where blocks are not, such as in push notifications. */
  text: string;
  /** Block Kit. */
  blocks: readonly object[];
}

export interface ChatRef {
  /** ID of the channel. */
  channel: string;
  /** ID of the message in it. */
  ts: string;
}

export interface ChatFailure {
  ok: false;
  /** The code of the workspace, such as `channel_not_found`; `unreachable` without an answer. */
  code: string;
  /** A sentence without text from the other side. */
  error: string;
  /** Whether a retry cannot help until somebody changes something. */
  is_final: boolean;
  /** The wait that the workspace requested; null = none. */
  retry_after_ms: number | null;
}

export type ChatResult = { ok: true; ref: ChatRef } | ChatFailure;

/** `ref` is null if there is no such message, or if the app may not read. */
export type ChatFound = { ok: true; ref: ChatRef | null } | ChatFailure;

/** A message that may have been posted. */
export interface SoughtMessage {
  delivery_id: string;
  /** When it was about to be posted. */
  begun_at: Date;
}

/** Posts messages to one chat workspace. Never throws for an answer of the workspace. */
export interface ChatSender {
  /**
   * @param thread the message to reply to; null for a message of its own
   * @param delivery_id identifies the message; people do not see it
   */
  post(channel: string, message: ChatMessage, thread: ChatRef | null, delivery_id: string): Promise<ChatResult>;
  /** Looks whether a message was posted. @param channel its ID; with a name nothing is found */
  find(channel: string, thread: ChatRef | null, sought: SoughtMessage): Promise<ChatFound>;
  update(ref: ChatRef, message: ChatMessage): Promise<ChatResult>;
}

/** A workspace in which a person has installed the app. */
export interface WorkspaceGrant {
  team_id: string;
  team_name: string;
  /** The Enterprise Grid organization of the workspace; null = none. */
  enterprise_id: string | null;
  /** The app was installed for a whole Enterprise Grid organization. */
  is_enterprise_install: boolean;
  bot_user_id: string;
  scopes: string[];
  tokens: ChatTokens;
}

/** The credentials of the app in one workspace. */
export interface ChatTokens {
  access_token: string;
  /** Null if the app does not rotate its tokens. */
  refresh_token: string | null;
  /** Seconds that the access token is valid for; null = until it is revoked. */
  expires_in_s: number | null;
}

export interface WorkspaceChannel {
  id: string;
  name: string;
  is_private: boolean;
  /** Whether the app is in it. */
  is_member: boolean;
}

/** A person in the workspace. */
export interface WorkspacePerson {
  /** In lower case; null if it is not known, or not confirmed. */
  email: string | null;
  /** The workspace that the person belongs to. */
  team_id: string;
  /** The Enterprise Grid organization that the person belongs to; null = none. */
  enterprise_id: string | null;
  /** An active person, and no bot. */
  is_active: boolean;
}

/** A message with links; while it is still being written, Slack names it by an ID of its own. */
export type PostedLinks = { unfurl_id: string; source: string } | { channel: string; ts: string };

/** One workspace, with its token. Each method throws a ChatError. */
export interface Workspace {
  sender: ChatSender;
  /** One page of channels that are not archived. @param limit at most 1,000 */
  listChannels(
    cursor: string | null,
    limit?: number,
  ): Promise<{ channels: WorkspaceChannel[]; next_cursor: string | null }>;
  findPerson(user_id: string): Promise<WorkspacePerson>;
  /** Posts a message that only one person in a channel sees. */
  tell(channel: string, user_id: string, message: ChatMessage): Promise<void>;
  /** Shows a dialog. @param trigger_id of the press that asks for it, at most three seconds ago */
  openDialog(trigger_id: string, view: object): Promise<void>;
  updateDialog(view_id: string, view: object): Promise<void>;
  /** Shows a card below each link of a message. @param cards blocks by URL */
  unfurl(place: PostedLinks, cards: Readonly<Record<string, { blocks: readonly object[] }>>): Promise<void>;
  /** Shows the home tab of the app to one person. */
  publishHome(user_id: string, blocks: readonly object[]): Promise<void>;
  /** Revokes the token. */
  revoke(): Promise<void>;
}

/** The app of the deployment at Slack. Each method throws a ChatError. */
export interface ChatApp {
  /** Where a person approves the app. */
  authorizeUrl(state: string): string;
  /** Exchanges the code of an approval. */
  exchange(code: string): Promise<WorkspaceGrant>;
  /** Exchanges a refresh token, which works once. */
  refresh(refresh_token: string): Promise<ChatTokens>;
  open(access_token: string): Workspace;
  /** Answers a person at the URL that came with their request; only they see it. */
  respond(response_url: string, message: ChatMessage): Promise<void>;
  /** Calls a listener for each request of Slack that was verified, stored and acknowledged before. */
  listen<Found>(options: ListenOptions<Found>): SlackInbox;
}

/** What is done for one request. @param found what `authorize` returned */
export type SlackListener<Body, Found> = (body: Body, found: Found) => Promise<void>;

export interface SlackListeners<Found> {
  /** Of every slash command of the app. */
  command: SlackListener<SlackCommand, Found>;
  /** By `action_id`. */
  actions: Readonly<Record<string, SlackListener<SlackPress, Found>>>;
  /** Of a button or list whose `action_id` has no listener. */
  unknown_action: SlackListener<SlackPress, Found>;
  /** By `callback_id` of the dialog. */
  views: Readonly<Record<string, SlackListener<SlackSubmission, Found>>>;
  events: { [Type in 'app_home_opened' | 'link_shared']: SlackListener<SlackEventOf<Type>, Found> };
  /** The app was removed, or tokens of the workspace were revoked, so nothing can be authorized. */
  ended: (body: SlackEvent, org_id: string) => Promise<void>;
}

export interface ListenOptions<Found> {
  /** The installation of a workspace for an organization. @throws any error: no listener is called */
  authorize: (team_id: string, org_id: string) => Promise<Found>;
  listeners: SlackListeners<Found>;
  log: { warn(fields: object, text: string): void };
}

export interface SlackInbox {
  /** Calls the listener of a request, and waits for it. @throws what `authorize` or the listener throws */
  process(request: { org_id: string; body: SlackBody }): Promise<void>;
}
