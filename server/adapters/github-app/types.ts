import type { HostedInstallation } from '../../lib/github-installation.ts';

export interface HostedRepository {
  id: number;
  /** `owner/name`. */
  full_name: string;
  private: boolean;
  default_branch: string;
}

/** What the App of this deployment asks of GitHub. Tokens never leave it. */
export interface GithubApp {
  /** Where a person chooses an account to install it on, and comes back with `state`. */
  installUrl(state: string): string;
  /** Where a person only says who they are, and comes back with `state` and a code. */
  authorizeUrl(state: string): string;
  /**
   * The installation, when the person who came back with this code may see it.
   *
   * @throws GithubAppError
   */
  findInstallation(code: string, installation_id: number): Promise<HostedInstallation | undefined>;
  /** The login of the person who came back with this code. @throws GithubAppError */
  loginOf(code: string): Promise<string>;
  /** Some of the repositories of an installation, in GitHub's order, and how many there are. @throws GithubAppError */
  listRepositories(
    installation_id: number,
    page: { limit: number; offset: number },
  ): Promise<{ repositories: HostedRepository[]; total: number }>;
}
