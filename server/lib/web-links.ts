import { dropTrailing } from '../../engine/index.ts';

/** Where people's browsers find what links lead to. */
export interface BaseUrls {
  /** The web pages; null = there are none, and the few pages of the service itself stand in for them. */
  app_url: string | null;
  /** The service itself, as seen from outside; null = not said. */
  api_url: string | null;
}

/** A page of the service itself; a path where its address is not known. @param path begins with a slash */
export function servicePage({ api_url }: Pick<BaseUrls, 'api_url'>, path: string): string {
  return `${dropTrailing(api_url ?? '', '/')}${path}`;
}

/** The page of one result, without a signature. */
export function resultPath(scan_run_id: string): string {
  return `/results/${scan_run_id}`;
}

/** Where a person reads the result of a scan run; null where no address is known that works outside of this machine. */
export function resultUrl({ app_url, api_url }: BaseUrls, slug: string, scan_run_id: string): string | null {
  if (app_url !== null) return `${dropTrailing(app_url, '/')}/orgs/${encodeURIComponent(slug)}/scans/${scan_run_id}`;
  return api_url === null ? null : servicePage({ api_url }, resultPath(scan_run_id));
}
