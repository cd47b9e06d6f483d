import { HtmlPage, renderDocument } from '../../contract/html-page.ts';
import { type Html, html, untrusted } from '../../lib/html.ts';
import type { ConfirmationPrompt } from './types.ts';

/**
 * The page on which a person confirms that an installation joins an organization. It needs no script. All names in it
 * are untrusted and shown as text.
 *
 * @param redirect_url base of the form's redirect; null = this host
 */
export function confirmPage(prompt: ConfirmationPrompt, redirect_url: string | null): HtmlPage {
  const form_leads_to = redirect_url === null ? [] : [new URL(redirect_url).origin];
  return new HtmlPage(renderDocument('Confirm the link to GitHub', mainPart(prompt)), form_leads_to);
}

function mainPart({ token, org, requested_by, login, installation }: ConfirmationPrompt): Html {
  const { account_login, account_type, repository_selection } = installation;
  const repositories =
    repository_selection === 'all' ? 'all repositories, including future ones' : 'the repositories selected at GitHub';
  return html`      <h1>Link the GitHub account ${untrusted(account_login)} to the organization ${untrusted(org.display_name)}?</h1>
      <dl>
        <dt>Organization</dt><dd>${untrusted(org.display_name)} (${untrusted(org.slug)})</dd>
        <dt>Requested by</dt><dd>${untrusted(requested_by)}</dd>
        <dt>GitHub account</dt><dd>${untrusted(account_login)} (${account_type === 'User' ? 'user' : 'organization'})</dd>
        <dt>Repositories</dt><dd>${repositories}</dd>
        <dt>Your GitHub user</dt><dd>${untrusted(login)}</dd>
      </dl>
      <p>If you confirm, every member of ${untrusted(org.display_name)} can read the names of these repositories and the
        analyses of their Terraform plans: resource names, changed settings, and the risks they carry. Drift &amp; Plan
        Analysis reads the plans from CI artifacts, comments on pull requests, and sets their checks.</p>
      <p class="warning"><strong>Confirm only if you know this organization and expected this page.</strong> If somebody
        sent you the link that brought you here, ask them first. If you do not know ${untrusted(requested_by)}, do not confirm.</p>
      <form method="post" action="confirm">
        <input type="hidden" name="token" value="${token}">
        <button class="primary" type="submit" name="decision" value="link">Confirm and link</button>
        <button type="submit" name="decision" value="cancel">Do not link</button>
      </form>`;
}
