import type { HostedInstallation } from '../../../lib/github-installation.ts';

export interface HostedRepository {
  id: number;
  /** `owner/name`. */
  full_name: string;
  private: boolean;
  default_branch: string;
}

/** An installation, and the GitHub user who manages it. */
export interface ManagedInstallation {
  login: string;
  installation: HostedInstallation;
}

/** The calls that this deployment makes to GitHub as its App. Tokens never leave the adapter. */
export interface GithubApp {
  /** URL where a person chooses an account to install the App on, and returns with `state`. */
  installUrl(state: string): string;
  /** URL where a person only signs in, and returns with `state` and a code. */
  authorizeUrl(state: string): string;
  /**
   * The installation, if the user who returned with this code manages it: it belongs to their own account, or they
   * administer every repository that it can read. GitHub also shows it to users who can only read one of them.
   *
   * @throws GithubAppError
   */
  findManaged(code: string, installation_id: number): Promise<ManagedInstallation | undefined>;
  /** One page of an installation's repositories, in GitHub's order, and their total number. @throws GithubAppError */
  listRepositories(
    installation_id: number,
    page: { limit: number; offset: number },
  ): Promise<{ repositories: HostedRepository[]; total: number }>;
}
