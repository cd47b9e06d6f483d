import { dropTrailing } from '../../engine/index.ts';

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
