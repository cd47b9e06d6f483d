import type { CloudSession, CloudTarget } from '../../adapters/cloud/types.ts';
import { federationNotConfigured, formatOrgSubject } from '../federation/index.ts';
import { CREDENTIAL_FORMS } from './credentials.ts';
import { findRejection, toServiceError } from './faults.ts';
import type { Claim, Clouds, CredentialType, DeploymentIdentity, StoredCredentials } from './types.ts';

const TIMEOUT_MS = 20_000;

export interface SessionDeps {
  clouds: Clouds;
  deployment: DeploymentIdentity;
  /** Maximum duration of one conversation with a cloud. */
  timeout_ms?: number;
}

/** The organization that an account belongs to, and the external ID that it sends to AWS. */
export interface AccountOwner {
  org_id: string;
  external_id: string;
}

/** A cloud's answer, or why it does not accept the credentials. */
export type Asked<Answer> = { answer: Answer } | { rejection: string };

/** Short conversations with clouds, outside of any transaction. */
export function createSessions({ clouds, deployment, timeout_ms = TIMEOUT_MS }: SessionDeps) {
  /** @throws ServiceError 503 if this deployment cannot use credentials of this type */
  function assertSupported(credential_type: CredentialType): void {
    const { api_url, subject, aws_principal_arn, signs_rs256 } = deployment;
    if (CREDENTIAL_FORMS[credential_type].needs_tokens && (api_url === null || subject === null)) {
      throw federationNotConfigured('API_URL and FEDERATION_SUBJECT');
    }
    if (credential_type === 'azure_federated' && !signs_rs256) {
      throw federationNotConfigured('FEDERATION_SIGNING_KEY with an RSA key, because Azure accepts only RS256');
    }
    if (credential_type === 'aws_role' && aws_principal_arn === null) {
      throw federationNotConfigured('FEDERATION_AWS_PRINCIPAL_ARN and the keys of that principal');
    }
  }

  function toTarget({ org_id, external_id }: AccountOwner, claim: Claim, credentials: StoredCredentials): CloudTarget {
    const { provider, external_account_id, regions } = claim;
    // Without a subject the deployment signs no tokens, and only credentials without tokens are usable.
    const token_subject = deployment.subject === null ? '' : formatOrgSubject(deployment.subject, org_id);
    const complete =
      credentials.credential_type === 'aws_role'
        ? { credential_type: credentials.credential_type, role_arn: credentials.role_arn, external_id }
        : credentials;
    return { provider, external_account_id, regions, token_subject, credentials: complete };
  }

  /**
   * Opens a session for one conversation.
   *
   * @param consequence of no response, as a sentence
   * @throws ServiceError 503 `cloud_unreachable` if the cloud gives no usable response, `federation_not_configured` if
   *   this deployment cannot use the credentials
   */
  async function ask<Answer>(
    target: CloudTarget,
    question: (session: CloudSession, signal: AbortSignal) => Promise<Answer>,
    consequence = 'The credentials could not be checked.',
  ): Promise<Asked<Answer>> {
    assertSupported(target.credentials.credential_type);
    const { adapter } = clouds[target.provider];
    const signal = AbortSignal.timeout(timeout_ms);
    let session: CloudSession | undefined;
    try {
      session = adapter.open(target);
      return { answer: await question(session, signal) };
    } catch (error) {
      const rejection = findRejection(error);
      if (rejection === undefined) throw toServiceError(error, target.provider, { signal, consequence });
      return { rejection };
    } finally {
      session?.close();
    }
  }

  return { assertSupported, toTarget, ask };
}

export type Sessions = ReturnType<typeof createSessions>;
