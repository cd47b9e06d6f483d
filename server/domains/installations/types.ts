import type { RiskLevel } from '../../../engine/index.ts';
import type { HostedInstallation } from '../../lib/github-installation.ts';

export type { ManagedInstallation } from '../../adapters/scm/github-app/index.ts';

/** `removed`: uninstalled at GitHub. */
export type InstallationStatus = 'active' | 'suspended' | 'removed';

/** A GitHub App installation linked to an organization. @see openapi.yaml, ScmInstallation */
export interface ScmInstallation extends Omit<HostedInstallation, 'is_suspended'> {
  id: string;
  provider: 'github';
  status: InstallationStatus;
  /** null: the person who linked it was deleted. */
  linked_by: { id: string; email: string } | null;
  created_at: Date;
  updated_at: Date;
}

/** GitHub's data about an installation, as it is stored. */
export type InstallationFields = Omit<HostedInstallation, 'is_suspended'> & { status: InstallationStatus };

/** @see openapi.yaml, ScmRepository */
export interface ScmRepository {
  id: number;
  /** `owner/name`. */
  full_name: string;
  private: boolean;
  default_branch: string;
  last_analysis_at: Date | null;
  last_risk_level: RiskLevel | null;
}

/** What a bot needs to act for an installation. */
export interface InstallationAccess {
  id: string;
  installation_id: number;
  account_login: string;
  /** The API key for analyzing its plans. */
  dpa_token: string;
}

/** The organization that an installation is linked to. */
export interface LinkRequester {
  org_id: string;
  user_id: string;
}

/** The parameters with which GitHub sends a person back. */
export interface CallbackQuery {
  state?: string | undefined;
  code?: string | undefined;
  installation_id?: string | undefined;
  setup_action?: string | undefined;
  error?: string | undefined;
}

/** What the returning person is asked before an installation is linked. */
export interface ConfirmationPrompt {
  /** Goes into the form; works once, for ten minutes. */
  token: string;
  /** Goes into a cookie: the token works only in this browser. */
  browser: string;
  org: { display_name: string; slug: string };
  /** Email of the person who requested the link. */
  requested_by: string;
  /** GitHub login of the returning person. */
  login: string;
  installation: HostedInstallation;
}

/** The submitted form; all of it can be forged. */
export interface Decision {
  token: string;
  browser: string | undefined;
  decision: 'link' | 'cancel';
}

/** Why nothing was linked. @see openapi.yaml, completeGithubInstallation */
export type Denial =
  | 'access_denied'
  | 'invalid_state'
  | 'exchange_failed'
  | 'installation_not_yours'
  | 'confirmation_invalid'
  | 'already_linked'
  | 'role_lost';
