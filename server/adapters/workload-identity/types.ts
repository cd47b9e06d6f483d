import type { SignToken } from '../cloud/types.ts';

/** A verified token of a CI job (a workload). */
export interface WorkloadToken {
  issuer: string;
  subject: string;
  /** The issuer's id of this token. */
  jti: string;
  claims: Readonly<Record<string, unknown>>;
}

export interface WorkloadIssuers {
  /** Whether the operator of this deployment trusts the issuer; the name must match exactly. */
  isTrusted(issuer: string): boolean;
  /**
   * Validates an issuer: a public https URL whose discovery document names itself. A trusted issuer is not called.
   *
   * @throws InvalidInput, `url_not_allowed` if its URL is the problem
   */
  assertUsable(issuer: string): Promise<void>;
  /**
   * The issuer that a token for this audience names, after all checks that need no key. Fetches nothing.
   *
   * @throws InvalidInput `invalid_grant`; depends only on the token
   */
  inspect(token: string, audience: string): string;
  /**
   * Verifies a token of this issuer for this audience.
   *
   * @throws InvalidInput `invalid_grant`; Unavailable if the issuer's keys cannot be fetched
   */
  verify(token: string, expected: { issuer: string; audience: string }): Promise<WorkloadToken>;
}

/** The public documents about the tokens that this deployment signs. */
export interface DeploymentDocuments {
  configuration: object;
  jwks: object;
}

export interface Deployment {
  documents: DeploymentDocuments;
  /** Signs a token that is valid for ten minutes. */
  signToken: SignToken;
}
