import { dropTrailing } from '../../../../engine/index.ts';

/** The address of the API; that of GitHub Enterprise Server is below its web address. */
export function toApiUrl(base_url: string): string {
  const base = dropTrailing(base_url, '/');
  return base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`;
}
