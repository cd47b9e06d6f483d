import { HtmlPage, renderDocument } from '../../contract/html-page.ts';
import { html } from '../../lib/html.ts';
import type { Denial } from './types.ts';

interface PageText {
  title: string;
  text: string;
}

const NEW_LINK = 'Ask for a new install link and open it in this browser.';
const DENIALS: Record<Denial, PageText> = {
  access_denied: {
    title: 'The GitHub account was not linked',
    text: 'The link was declined. Nothing was changed. To link the account after all, ask for a new install link.',
  },
  invalid_state: {
    title: 'This install link is not valid',
    text: `It has expired, was used before, or was not created by this service. An install link works once, for ten minutes. ${NEW_LINK}`,
  },
  exchange_failed: {
    title: 'GitHub could not be reached',
    text: `GitHub did not confirm who you are, or did not respond. ${NEW_LINK} If it happens again, contact your administrator.`,
  },
  installation_not_yours: {
    title: 'You do not manage this GitHub account',
    text:
      'To link an installation, it must belong to your own account, or you must administer every repository that it ' +
      'can read. Send a new install link to a person who does.',
  },
  confirmation_invalid: {
    title: 'The confirmation is not valid',
    text: `It has expired, was used before, or was opened in another browser. ${NEW_LINK}`,
  },
  already_linked: {
    title: 'The GitHub account is linked elsewhere',
    text: 'Another organization of this service has this installation. Unlink it there first.',
  },
  role_lost: {
    title: 'The GitHub account was not linked',
    text:
      'The person who requested the install link is no longer an owner or admin of the organization. An owner or admin must ' +
      'request a new one.',
  },
};
const CONNECTED: PageText = {
  title: 'The GitHub account is linked',
  text: 'Plans in the CI artifacts of its repositories are analyzed from now on. You can close this page.',
};
const PENDING: PageText = {
  title: 'An owner of the GitHub account must approve',
  text: 'GitHub has notified them. After they approve, ask for a new install link and open it.',
};
const UNKNOWN: PageText = {
  title: 'Back from GitHub',
  text: 'This page shows the outcome of linking a GitHub account. Opening it linked nothing.',
};

/**
 * The page for a person who returns from GitHub, if a deployment has no web UI.
 *
 * @param query as `landing` wrote it, or anything else: the page shows only texts of this file
 */
export function callbackPage({ scm, reason }: { scm?: unknown; reason?: unknown }): HtmlPage {
  const { title, text } = selectText(scm, reason);
  const main = html`
      <h1>${title}</h1>
      <p>${text}</p>
      <p><a href="../api/v2/docs#tag/Source-control">How linking works (API documentation)</a></p>`;
  return new HtmlPage(renderDocument(title, main));
}

function selectText(scm: unknown, reason: unknown): PageText {
  if (scm === 'connected') return CONNECTED;
  if (scm === 'pending') return PENDING;
  return scm === 'denied' && isDenial(reason) ? DENIALS[reason] : UNKNOWN;
}

function isDenial(reason: unknown): reason is Denial {
  return typeof reason === 'string' && Object.hasOwn(DENIALS, reason);
}
