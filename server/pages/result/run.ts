import { type Html, html, untrusted } from '../../lib/html.ts';
import { pullRequestUrl, webAddress } from '../../lib/web-links.ts';

/** Facts about the run of a result. Most of them come from CI and are untrusted. */
export interface RunFacts {
  id: string;
  org_id: string;
  /** `owner/name`. */
  repo: string | null;
  repo_url: string | null;
  pr_number: number | null;
  branch: string | null;
  commit_sha: string | null;
  /** ISO 8601 */
  created_at: string;
  finished_at: string | null;
}

/** The origin of the plan, as items of a definition list. */
export function originList(run: RunFacts): Html {
  const repo_url = webAddress(run.repo_url);
  const items: [string, Html | null][] = [
    ['Repository', run.repo === null ? linkTo(repo_url, repo_url) : linkTo(repo_url, run.repo)],
    ['Pull request', pullRequestLink(run)],
    ['Branch', run.branch === null ? null : untrusted(run.branch)],
    ['Commit', run.commit_sha === null ? null : html`<code>${untrusted(run.commit_sha)}</code>`],
    ['Submitted', formatTimestamp(run.created_at)],
    ['Judged', run.finished_at === null ? null : formatTimestamp(run.finished_at)],
  ];
  const shown = items.flatMap(([name, value]) => (value === null ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`]));
  return html`<dl>${shown}</dl>`;
}

function pullRequestLink(run: RunFacts): Html | null {
  return run.pr_number === null ? null : linkTo(pullRequestUrl(run), `#${run.pr_number}`);
}

function linkTo(address: string | null, text: string | null): Html | null {
  if (text === null) return null;
  return address === null
    ? untrusted(text)
    : html`<a href="${address}" rel="noopener noreferrer nofollow">${untrusted(text)}</a>`;
}

function formatTimestamp(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
