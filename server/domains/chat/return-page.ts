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
    title: 'The Slack workspace was not connected',
    text: 'The app was declined. Nothing was changed. To connect the workspace after all, ask for a new install link.',
  },
  invalid_state: {
    title: 'This install link is not valid',
    text: `It has expired, was used before, or was not created by this service. An install link works once, for ten minutes. ${NEW_LINK}`,
  },
  confirmation_invalid: {
    title: 'The confirmation is not valid',
    text: `It has expired, was used before, or was opened in another browser. ${NEW_LINK}`,
  },
  exchange_failed: {
    title: 'Slack did not complete the installation',
    text: `Slack did not accept the approval, or did not respond. ${NEW_LINK} If it happens again, contact your administrator.`,
  },
  enterprise_install: {
    title: 'Install the app in one workspace',
    text: `The app was approved for a whole Enterprise Grid organization. ${NEW_LINK} At Slack, choose one workspace.`,
  },
  team_linked: {
    title: 'The workspace is connected elsewhere',
    text: 'Another organization of this service has this workspace. Disconnect it there first.',
  },
  other_team: {
    title: 'The organization has another workspace',
    text: 'An organization has one workspace. Disconnect that workspace first, then ask for a new install link.',
  },
  plan_limit: {
    title: 'The plan of the organization does not include Slack',
    text: 'Nothing was changed. After a change of the plan, ask for a new install link.',
  },
  role_lost: {
    title: 'The Slack workspace was not connected',
    text:
      'The person who requested the install link is no longer an owner or admin of the organization. An owner or admin must ' +
      'request a new one.',
  },
};
const CONNECTED: PageText = {
  title: 'The Slack workspace is connected',
  text: 'Notifications of the organization are posted in this workspace from now on. You can close this page.',
};
const UNKNOWN: PageText = {
  title: 'Back from Slack',
  text: 'This page shows the outcome of connecting a Slack workspace. Opening it connected nothing.',
};

/**
 * The page for a person who returns from Slack, if a deployment has no web UI.
 *
 * @param query as the redirect wrote it, or anything else: the page shows only texts of this file
 */
export function slackReturnPage({ chat, reason }: { chat?: unknown; reason?: unknown }): HtmlPage {
  const { title, text } = selectText(chat, reason);
  const main = html`
      <h1>${title}</h1>
      <p>${text}</p>
      <p><a href="../api/v2/docs#tag/Chat">How connecting works (API documentation)</a></p>`;
  return new HtmlPage(renderDocument(title, main));
}

function selectText(chat: unknown, reason: unknown): PageText {
  if (chat === 'connected') return CONNECTED;
  return chat === 'denied' && isDenial(reason) ? DENIALS[reason] : UNKNOWN;
}

function isDenial(reason: unknown): reason is Denial {
  return typeof reason === 'string' && Object.hasOwn(DENIALS, reason);
}
