import { HtmlPage, renderDocument } from '../../contract/html-page.ts';
import { type Html, html, untrusted } from '../../lib/html.ts';
import type { InstallPrompt } from './types.ts';

/**
 * The page on which a person confirms that their workspace joins an organization. It needs no script. All names in it
 * are untrusted and shown as text.
 *
 * @param redirect_url base of the form's redirect; null = this host
 */
export function confirmPage(prompt: InstallPrompt, redirect_url: string | null): HtmlPage {
  const form_leads_to = redirect_url === null ? [] : [new URL(redirect_url).origin];
  return new HtmlPage(renderDocument('Confirm the Slack workspace', mainPart(prompt)), form_leads_to);
}

function mainPart({ token, org, requested_by }: InstallPrompt): Html {
  return html`      <h1>Connect your Slack workspace to the organization ${untrusted(org.display_name)}?</h1>
      <dl>
        <dt>Organization</dt><dd>${untrusted(org.display_name)} (${untrusted(org.slug)})</dd>
        <dt>Requested by</dt><dd>${untrusted(requested_by)}</dd>
        <dt>Slack workspace</dt><dd>the one that you chose at Slack a moment ago</dd>
      </dl>
      <p>If you confirm, owners and admins of ${untrusted(org.display_name)} decide what Drift &amp; Plan Analysis posts in the
        channels of the workspace, and see the names of its channels. People of the workspace act in the organization only
        as far as they are members of it, with the same email address.</p>
      <p class="warning"><strong>Confirm only if you know this organization and expected this page.</strong> If somebody
        sent you the link that brought you here, ask them first. If you do not know ${untrusted(requested_by)}, do not confirm.</p>
      <form method="post" action="confirm">
        <input type="hidden" name="token" value="${token}">
        <button class="primary" type="submit" name="decision" value="install">Confirm and connect</button>
        <button type="submit" name="decision" value="cancel">Do not connect</button>
      </form>`;
}
