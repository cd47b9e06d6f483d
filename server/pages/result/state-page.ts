import { HtmlPage, renderDocument } from '../../contract/html-page.ts';
import { type Html, html, untrusted } from '../../lib/html.ts';
import { originList, type RunFacts } from './run.ts';

type Status = 'pending' | 'running' | 'done' | 'error';

const WAITING = {
  title: 'Plan result: not ready yet',
  text: 'The plan is being judged. Reload this page in a moment.',
};
const STATES: Record<Status, { title: string; text: string }> = {
  pending: WAITING,
  running: WAITING,
  done: {
    title: 'Plan result: not kept',
    text: 'The plan was judged, but its result is no longer stored. Submit the plan again.',
  },
  error: {
    title: 'Plan result: no verdict',
    text: 'The plan was not judged. Fix what is named here and submit it again.',
  },
};

/** The page of a run without a result. */
export function statePage(status: Status, errors: readonly { message: string }[], run: RunFacts): HtmlPage {
  const { title, text } = STATES[status];
  const items = errors.map(({ message }): Html => html`<li>${untrusted(message)}</li>`);
  const main = html`
      <h1>${title}</h1>
      <p>${text}</p>
      ${items.length === 0 ? '' : html`<ul>${items}</ul>`}
      ${originList(run)}
      <p class="soft">Result <code>${run.id}</code>, organization <code>${run.org_id}</code></p>`;
  return new HtmlPage(renderDocument(title, main));
}
