/** A repository at its Git host. */
export interface TokenTarget {
  provider: 'github' | 'gitlab';
  /** Without a trailing slash. */
  provider_base_url: string;
  repo_path: string;
}

/**
 * The result of validating a token at its host. All texts are written by this service, because the host's may echo the
 * token.
 */
export type TokenProbe =
  | {
      status: 'active';
      /** The user of the token at the host. */
      user_id: string;
      /** null = never, or not reported by the host. */
      expires_at: Date | null;
    }
  /** `problem`: what is wrong and what to do, a sentence without its full stop. */
  | { status: 'expired' | 'invalid' | 'insufficient_scope'; problem: string }
  /** The host gave no result. `problem`: why. */
  | { status: 'unknown'; problem: string };

/**
 * Asks the host for the user of this token, and whether a bot can use it for the repository: read builds, comment on
 * pull requests and set statuses. Takes at most half a minute and never throws for errors of the host.
 */
export type ProbeToken = (target: TokenTarget, token: string) => Promise<TokenProbe>;
