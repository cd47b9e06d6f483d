import type { Octokit } from '@octokit/rest';
import { readInstallation } from '../../../lib/github-installation.ts';
import type { ManagedInstallation } from './types.ts';

const PER_PAGE = 100;
/**
 * A user has at most as many installations of one App as fit on this many pages; larger installations cannot be linked.
 */
const MOST_PAGES = 50;

/**
 * The installation, if this user manages it. GitHub lists it for everyone who can read one of its repositories.
 *
 * @param countRepositories counts all repositories of the installation, whoever asks
 * @see GitHub's documentation, "List app installations accessible to the user access token" and "List repositories
 *   accessible to the user access token"
 */
export async function findManaged(
  user: Octokit,
  installation_id: number,
  countRepositories: () => Promise<number>,
): Promise<ManagedInstallation | undefined> {
  const found = await findAmong(user, installation_id);
  const installation = readInstallation(found);
  if (found === undefined || installation === undefined) return undefined;
  const { id, login } = (await user.users.getAuthenticated()).data;
  const manages = found.account?.id === id || (await administersAll(user, installation_id, await countRepositories()));
  return manages ? { login, installation } : undefined;
}

async function findAmong(user: Octokit, installation_id: number) {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data } = await user.apps.listInstallationsForAuthenticatedUser({ per_page: PER_PAGE, page });
    const found = data.installations.find(({ id }) => id === installation_id);
    if (found !== undefined || data.installations.length < PER_PAGE) return found;
  }
  return undefined;
}

/** If an installation has no repositories, no user can prove that they manage it. */
async function administersAll(user: Octokit, installation_id: number, count: number): Promise<boolean> {
  let administered = 0;
  for (let page = 1; page <= MOST_PAGES && administered < count; page += 1) {
    const { data } = await user.apps.listInstallationReposForAuthenticatedUser({
      installation_id,
      per_page: PER_PAGE,
      page,
    });
    if (data.repositories.length === 0 || !data.repositories.every(({ permissions }) => permissions?.admin === true)) {
      return false;
    }
    administered += data.repositories.length;
  }
  return count > 0 && administered >= count;
}
