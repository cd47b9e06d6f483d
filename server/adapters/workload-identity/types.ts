/** A token of a CI job (a workload), verified. */
export interface WorkloadToken {
  issuer: string;
  subject: string;
  /** What the issuer calls this very token. */
  jti: string;
  claims: Readonly<Record<string, unknown>>;
}

export interface WorkloadIssuers {
  /** Whether the operator of this deployment vouches for the issuer; its name is compared letter by letter. */
  isTrusted(issuer: string): boolean;
  /**
   * Sees that an issuer can be worked with: a public https address whose discovery document speaks of itself. An issuer
   * that is trusted is not asked.
   *
   * @throws InvalidInput, `url_not_allowed` where its address is the trouble
   */
  assertUsable(issuer: string): Promise<void>;
  /**
   * The issuer that a token for this audience claims to be of, once all that can be seen without a key is right. Nothing is fetched.
   *
   * @throws InvalidInput `invalid_grant`; it depends on the token alone
   */
  inspect(token: string, audience: string): string;
  /**
   * Verifies a token of this issuer for this audience.
   *
   * @throws InvalidInput `invalid_grant`; Unavailable when the issuer's keys are out of reach
   */
  verify(token: string, expected: { issuer: string; audience: string }): Promise<WorkloadToken>;
}

/** What this deployment tells the world about the tokens that it signs. */
export interface DeploymentDocuments {
  configuration: object;
  jwks: object;
}
