import { documentText, HtmlPage } from '../../contract/html-page.ts';
import { foreign, type Html, html } from '../../lib/html.ts';
import type { Question } from './types.ts';

/**
 * The page on which a person confirms that an installation joins an organization. It needs no script; every name in it was
 * chosen by somebody else, and is shown as text alone.
 *
 * @param landing_url under which the answer of the form redirects; null = this host
 */
export function confirmPage(question: Question, landing_url: string | null): HtmlPage {
  const form_leads_to = landing_url === null ? [] : [new URL(landing_url).origin];
  return new HtmlPage(documentText('Confirm the link to GitHub', mainPart(question)), form_leads_to);
}

function mainPart({ token, org, asked_by, login, installation }: Question): Html {
  const { account_login, account_type, repository_selection } = installation;
  const repositories =
    repository_selection === 'all' ? 'all, and every repository that is added later' : 'those selected at GitHub';
  return html`      <h1>Link the GitHub account ${foreign(account_login)} to the organization ${foreign(org.display_name)}?</h1>
      <dl>
        <dt>Organization</dt><dd>${foreign(org.display_name)} (${foreign(org.slug)})</dd>
        <dt>Requested by</dt><dd>${foreign(asked_by)}</dd>
        <dt>GitHub account</dt><dd>${foreign(account_login)} (${account_type === 'User' ? 'user' : 'organization'})</dd>
        <dt>Repositories</dt><dd>${repositories}</dd>
        <dt>You are at GitHub</dt><dd>${foreign(login)}</dd>
      </dl>
      <p>If you confirm, every member of ${foreign(org.display_name)} can read the names of these repositories and the
        analyses of their Terraform plans: resource names, changed settings, and the risks they carry. Drift &amp; Plan
        Analysis reads the plans from CI artifacts, comments on pull requests, and sets their checks.</p>
      <p class="warning"><strong>Confirm only if you know this organization and expected this page.</strong> If somebody
        sent you the link that brought you here, ask them first. If you do not know ${foreign(asked_by)}, do not confirm.</p>
      <form method="post" action="confirm">
        <input type="hidden" name="token" value="${token}">
        <button class="primary" type="submit" name="decision" value="link">Confirm and link</button>
        <button type="submit" name="decision" value="cancel">Do not link</button>
      </form>`;
}
