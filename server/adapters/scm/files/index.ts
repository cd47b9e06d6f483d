import { openPerRepository, type PerRepositoryDeps } from '../per-repository.ts';
import { PlatformError } from '../types.ts';
import { openGithubFiles } from './github.ts';
import { openGitlabFiles } from './gitlab.ts';
import type { CommitOnce, NewFile, RepositoryFiles } from './types.ts';

/** Another commit to the branch at the same moment fails this one. */
const TRIES = 3;

/** Commits files to repositories. */
export function createCommitOnce(deps: PerRepositoryDeps): CommitOnce {
  const open = openPerRepository({ github: openGithubFiles, gitlab: openGitlabFiles }, deps);
  return (access, file) => commitOnce(open(access), file);
}

/** Reads before each attempt, because one whose response was lost can have committed the file. */
async function commitOnce(files: RepositoryFiles, file: NewFile): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const present = await files.read(file);
    if (present !== undefined) return present === file.text;
    try {
      await files.create(file);
      return true;
    } catch (error) {
      if (tries === TRIES || !isWorthRepeating(error)) throw error;
    }
  }
}

/** Git hosts reject a commit that another one has overtaken, and can have done what they did not answer. */
function isWorthRepeating(error: unknown): boolean {
  return error instanceof PlatformError && (error.error_class === 'rejected' || error.error_class === 'unavailable');
}
