import { PlatformError } from '../types.ts';

/** Splits `owner/name`. @throws PlatformError `rejected` */
export function splitRepo(full_name: string): { owner: string; repo: string } {
  const [owner, repo, ...rest] = full_name.split('/');
  if (owner && repo && rest.length === 0) return { owner, repo };
  throw new PlatformError('rejected', `"${full_name}" is not a GitHub repository: use owner/name`);
}
