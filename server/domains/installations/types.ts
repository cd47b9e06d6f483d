import type { RiskLevel } from '../../../engine/index.ts';
import type { HostedInstallation } from '../../lib/github-installation.ts';

/** `removed`: uninstalled at GitHub. */
export type InstallationStatus = 'active' | 'suspended' | 'removed';

/** An installation of the GitHub App that belongs to an org. @see openapi.yaml, ScmInstallation */
export interface ScmInstallation extends Omit<HostedInstallation, 'is_suspended'> {
  id: string;
  provider: 'github';
  status: InstallationStatus;
  /** null: who linked it is gone. */
  linked_by: { id: string; email: string } | null;
  created_at: Date;
  updated_at: Date;
}

/** What GitHub says of an installation, as it is stored. */
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
  /** The API key with which its plans are analysed. */
  dpa_token: string;
}

/** For whom an installation is linked. */
export interface Linker {
  org_id: string;
  user_id: string;
}

/** With what GitHub sends a person back. */
export interface Return {
  state?: string | undefined;
  code?: string | undefined;
  installation_id?: string | undefined;
  setup_action?: string | undefined;
  error?: string | undefined;
}

/** Why nothing was linked. @see openapi.yaml, completeGithubInstallation */
export type Denial =
  | 'access_denied'
  | 'invalid_state'
  | 'exchange_failed'
  | 'installation_not_yours'
  | 'already_linked'
  | 'role_lost';
