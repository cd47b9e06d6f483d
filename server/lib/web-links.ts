import { dropTrailing } from '../../engine/index.ts';
import { parseUrl } from './parse-url.ts';

/** Base URLs of links for people. */
export interface BaseUrls {
  /** The web UI; null = there is none, and the service's own pages are used. */
  app_url: string | null;
  /** Public address of the service; null = not configured. */
  api_url: string | null;
}

/** A page of the service; a path if its address is not known. @param path starts with a slash */
export function servicePage({ api_url }: Pick<BaseUrls, 'api_url'>, path: string): string {
  return `${dropTrailing(api_url ?? '', '/')}${path}`;
}

/** The page of one result, without a signature. */
export function resultPath(scan_run_id: string): string {
  return `/results/${scan_run_id}`;
}

/** URL of the result of a scan run for people; null if no public address is known. */
export function resultUrl({ app_url, api_url }: BaseUrls, slug: string, scan_run_id: string): string | null {
  if (app_url !== null) return `${dropTrailing(app_url, '/')}/orgs/${encodeURIComponent(slug)}/scans/${scan_run_id}`;
  return api_url === null ? null : servicePage({ api_url }, resultPath(scan_run_id));
}

/** A normalized web URL without a password or a query; null for every other text, such as `javascript:`. */
export function webAddress(text: string | null): string | null {
  const url = text === null ? undefined : parseUrl(text);
  if (url === undefined) return null;
  const { protocol, username, password, origin, pathname } = url;
  if (!['https:', 'http:'].includes(protocol) || username !== '' || password !== '') return null;
  return `${origin}${pathname}`;
}

/** URL of a pull request; null if the host of its repository is not recognized by its name. */
export function pullRequestUrl(run: { repo_url: string | null; pr_number: number | null }): string | null {
  const repo_url = webAddress(run.repo_url);
  if (repo_url === null || run.pr_number === null) return null;
  const path = pullRequestPath(new URL(repo_url).hostname);
  return path === null ? null : `${repo_url.replace(/(\/|\.git)$/, '')}/${path}/${run.pr_number}`;
}

function pullRequestPath(hostname: string): string | null {
  const labels = hostname.split('.');
  if (labels.includes('github')) return 'pull';
  return labels.includes('gitlab') ? '-/merge_requests' : null;
}
