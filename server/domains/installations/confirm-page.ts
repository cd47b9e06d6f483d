import { HtmlPage } from '../../contract/html-page.ts';
import type { Question } from './types.ts';

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
  h1 { font-size: 1.5rem; line-height: 1.25; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; padding: 1rem; border: 1px solid #8888; border-radius: 6px; }
  dt { opacity: .75; }
  dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
  .warning { padding: .75rem 1rem; border-left: 4px solid #d29922; background: #d2992222; }
  form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
  button { font: inherit; padding: .5rem 1rem; border-radius: 6px; border: 1px solid #8888; cursor: pointer; }
  button[value=link] { background: #1f6feb; border-color: #1f6feb; color: #fff; }
`;

/**
 * The page on which a person confirms that an installation joins an organization. It needs no script; every name in it was
 * chosen by somebody else, and is shown as text alone.
 *
 * @param app_url to which the answer of the form redirects; null = this host
 */
export function confirmPage(question: Question, app_url: string | null): HtmlPage {
  const form_leads_to = app_url === null ? [] : [new URL(app_url).origin];
  return new HtmlPage({ text: renderPage(question), style: STYLE, form_leads_to });
}

function renderPage({ token, org, asked_by, login, installation }: Question): string {
  const { account_login, account_type, repository_selection } = installation;
  const repositories =
    repository_selection === 'all' ? 'all, and every repository that is added later' : 'those selected at GitHub';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Confirm the link to GitHub</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>Link the GitHub account ${isolate(account_login)} to the organization ${isolate(org.display_name)}?</h1>
      <dl>
        <dt>Organization</dt><dd>${isolate(org.display_name)} (${isolate(org.slug)})</dd>
        <dt>Requested by</dt><dd>${isolate(asked_by)}</dd>
        <dt>GitHub account</dt><dd>${isolate(account_login)} (${account_type === 'User' ? 'user' : 'organization'})</dd>
        <dt>Repositories</dt><dd>${repositories}</dd>
        <dt>You are at GitHub</dt><dd>${isolate(login)}</dd>
      </dl>
      <p>If you confirm, every member of ${isolate(org.display_name)} can read the names of these repositories and the
        analyses of their Terraform plans: resource names, changed settings, and the risks they carry. Drift &amp; Plan
        Analysis reads the plans from CI artifacts, comments on pull requests, and sets their checks.</p>
      <p class="warning"><strong>Confirm only if you know this organization and expected this page.</strong> If somebody
        sent you the link that brought you here, ask them first. If you do not know ${isolate(asked_by)}, do not confirm.</p>
      <form method="post" action="confirm">
        <input type="hidden" name="token" value="${escapeHtml(token)}">
        <button type="submit" name="decision" value="link">Confirm and link</button>
        <button type="submit" name="decision" value="cancel">Do not link</button>
      </form>
    </main>
  </body>
</html>
`;
}

/** Text of others, kept from turning the text around it. */
function isolate(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
