/** A repository at its host. */
export interface TokenTarget {
  provider: 'github' | 'gitlab';
  /** Without a slash at its end. */
  provider_base_url: string;
  repo_path: string;
}

/** What a host says of a token. Every text is of our own words: a host's may echo what it was sent. */
export type TokenProbe =
  | {
      status: 'active';
      /** Whose token it is, at the host. */
      user_id: string;
      /** null = never, or the host does not say. */
      expires_at: Date | null;
    }
  /** `problem`: what is wrong and what to do, a sentence without its full stop. */
  | { status: 'expired' | 'invalid' | 'insufficient_scope'; problem: string }
  /** The host did not say. `problem`: why. */
  | { status: 'unknown'; problem: string };

/**
 * Asks the host whose token this is, and whether a bot can work for the repository with it: read its builds, comment on
 * its pull requests and set statuses. Takes half a minute at most and never throws for what a host does.
 */
export type ProbeToken = (target: TokenTarget, token: string) => Promise<TokenProbe>;
