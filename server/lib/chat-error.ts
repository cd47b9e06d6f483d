/** What Slack answered instead of the result. */
export class ChatError extends Error {
  /** Slack's code, such as `token_revoked`; `rate_limited`, or `unreachable` without an answer. */
  readonly code: string;
  /** Whether a retry cannot help until somebody changes something. */
  readonly is_final: boolean;
  /** The wait that Slack requested; null = none. */
  readonly retry_after_ms: number | null;

  constructor(message: string, { code, is_final, retry_after_ms }: ChatFailure, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ChatError';
    this.code = code;
    this.is_final = is_final;
    this.retry_after_ms = retry_after_ms;
  }
}

type ChatFailure = Pick<ChatError, 'code' | 'is_final' | 'retry_after_ms'>;

/** Codes that mean that the app is no longer installed with this token. */
const ENDED = new Set(['token_revoked', 'account_inactive', 'invalid_auth', 'invalid_refresh_token', 'not_authed']);

/** Whether the token of a workspace will never work again. */
export function isTokenGone(code: string): boolean {
  return ENDED.has(code);
}
