import type { HostedInstallation } from '../../../lib/github-installation.ts';

export interface HostedRepository {
  id: number;
  /** `owner/name`. */
  full_name: string;
  private: boolean;
  default_branch: string;
}

/** An installation, and the person at GitHub who may decide over it. */
export interface ManagedInstallation {
  login: string;
  installation: HostedInstallation;
}

/** What the App of this deployment asks of GitHub. Tokens never leave it. */
export interface GithubApp {
  /** Where a person chooses an account to install it on, and comes back with `state`. */
  installUrl(state: string): string;
  /** Where a person only says who they are, and comes back with `state` and a code. */
  authorizeUrl(state: string): string;
  /**
   * The installation, when the person who came back with this code manages it: it stands on their own account, or they
   * administer every repository that it reads. Whoever may only read one of them sees the installation, too.
   *
   * @throws GithubAppError
   */
  findManaged(code: string, installation_id: number): Promise<ManagedInstallation | undefined>;
  /** Some of the repositories of an installation, in GitHub's order, and how many there are. @throws GithubAppError */
  listRepositories(
    installation_id: number,
    page: { limit: number; offset: number },
  ): Promise<{ repositories: HostedRepository[]; total: number }>;
}
