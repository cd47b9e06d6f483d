import { ChatError } from '../../lib/chat-error.ts';

/** What a person must do about an error that no retry resolves. */
const FINAL: Readonly<Record<string, string>> = {
  channel_not_found:
    'the channel does not exist, or is private and the app is not in it; invite the app or choose another',
  not_in_channel: 'the app is not in the channel; invite it',
  is_archived: 'the channel is archived; choose another',
  restricted_action: 'the workspace does not allow the app to post there',
  token_revoked: 'the token of the app was revoked; connect the workspace again',
  token_expired: 'the token of the app has expired; connect the workspace again',
  account_inactive: 'the app was removed from the workspace; connect it again',
  invalid_auth: 'Slack does not accept the token of the app; connect the workspace again',
  invalid_refresh_token: 'Slack does not renew the token of the app; connect the workspace again',
  not_authed: 'Slack does not accept the token of the app; connect the workspace again',
  missing_scope: 'the app lacks a permission; install it again',
  message_not_found: 'the message was deleted',
  cant_update_message: 'the message belongs to another app',
  msg_blocks_too_long: 'Slack rejects the message as too long',
  invalid_blocks: 'Slack rejects the form of the message',
  invalid_code: 'Slack does not know the code of the approval; open a new install link',
  code_already_used: 'the code of the approval was used before; open a new install link',
  bad_redirect_uri: 'Slack does not know the callback of this deployment; its operator must add it to the app',
  bad_client_secret: 'Slack does not accept the app of this deployment; its operator must correct SLACK_CLIENT_SECRET',
  invalid_client_id: 'Slack does not know the app of this deployment; its operator must correct SLACK_CLIENT_ID',
  user_not_found: 'the person is not in the workspace',
  user_not_in_channel: 'the person is not in the channel',
  expired_trigger_id: 'the dialog was not opened in time; press the button again',
  exchanged_trigger_id: 'the dialog was opened before',
  invalid_trigger_id: 'Slack does not know the press that opens the dialog; press the button again',
  not_found: 'the dialog was closed',
  view_not_found: 'the dialog was closed',
  invalid_arguments: 'Slack rejects the request',
  cannot_unfurl_url: 'the app does not show links of this address; its operator must add the domain to the app',
  cannot_unfurl_message: 'links of this message cannot be shown',
  cannot_find_message: 'the message with the link was deleted',
  unfurl_not_found: 'the message with the link was deleted',
  invalid_unfurls_format: 'Slack rejects the form of the cards',
};

/** @see https://docs.slack.dev/tools/node-slack-sdk/web-api#handle-errors */
export function toChatError(error: unknown): ChatError {
  if (error instanceof ChatError) return error;
  const { data, retryAfter } = error as { data?: { error?: string }; retryAfter?: number };
  const build = (code: string, message: string, is_final: boolean, retry_after_ms: number | null = null) =>
    new ChatError(message, { code, is_final, retry_after_ms }, { cause: error });
  if (retryAfter !== undefined) return build('rate_limited', 'Slack asked to wait', false, retryAfter * 1_000);
  const code = data?.error;
  if (code === undefined) return build('unreachable', 'Slack could not be reached', false);
  const advice = FINAL[code];
  if (advice !== undefined) return build(code, `${advice} (${code})`, true);
  return build(code, `Slack answered with the error ${/^[a-z_]{1,60}$/.test(code) ? code : 'unknown'}`, false);
}
