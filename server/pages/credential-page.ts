import { HtmlPage, renderDocument } from '../contract/html-page.ts';
import { type Html, html, untrusted } from '../lib/html.ts';

/** Longer than any accepted access token. */
const MOST_CHARACTERS = 16_384;

/** Asks for a credential; the same for every URL, whether there is a result or not. */
export function credentialPage(): HtmlPage {
  const main = html`
      <h1>Result of a plan analysis</h1>
      <p>This link shows the result of analyzing a Terraform or OpenTofu plan: its risk level, the reasons, and every
        change. Members of the organization that owns it can read it.</p>
      ${credentialForm()}
      <p class="soft">To read it without a credential, ask a member of the organization for a signed link.</p>`;
  return new HtmlPage(renderDocument('Result of a plan analysis', main));
}

/** An expired or invalid link. */
export function linkRefusedPage(expired_at: Date | null): HtmlPage {
  const title = expired_at === null ? 'This link is not valid' : 'This link has expired';
  const why =
    expired_at === null
      ? 'This service did not create it, it was changed, or its creator no longer belongs to the organization.'
      : `It was valid until ${expired_at.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
  const main = html`
      <h1>${title}</h1>
      <p>${why} Ask the sender for a new link, or open the result with your own credential.</p>
      ${credentialForm()}`;
  return new HtmlPage(renderDocument(title, main));
}

const ADVICE: Readonly<Record<number, string>> = {
  401: 'Check that the credential is complete and has not expired, and try again.',
  403: 'Use a credential that can read scans: an API key with the scope scans:read, or your own access token.',
  404: 'The result does not exist, is no longer stored, or belongs to an organization that this credential cannot read.',
  413: 'Send only the credential.',
  429: 'Wait before you try again.',
};
const LATER = 'Try again later. If it happens again, give your administrator the request id.';

/** An error, and what to do about it. @param message one sentence that can be shown to anyone */
export function refusalPage(status: number, message: string, request_id: string): HtmlPage {
  const title =
    status === 404 ? 'Result not found' : status < 500 ? 'The result could not be opened' : 'Something went wrong';
  const message_html = status === 404 ? '' : html`<p><strong>${untrusted(message)}</strong></p>`;
  const main = html`
      <h1>${title}</h1>
      ${message_html}
      <p>${ADVICE[status] ?? LATER}</p>
      ${status < 500 ? credentialForm() : ''}
      <p class="soft">Request <code>${untrusted(request_id)}</code></p>`;
  return new HtmlPage(renderDocument(title, main));
}

/** Without an action, the form is sent to the URL of the page. Neither the service nor the browser stores it. */
function credentialForm(): Html {
  return html`<form method="post">
        <label for="credential">API key or access token</label>
        <input id="credential" name="credential" type="password" required maxlength="${MOST_CHARACTERS}"
          autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="credential-help">
        <button class="primary" type="submit">Open the result</button>
      </form>
      <p id="credential-help" class="soft">The key needs the scope <code>scans:read</code>. It is used for this one
        request and is not stored.</p>`;
}
