import { HtmlPage, renderDocument } from '../../contract/html-page.ts';
import { type Html, html, untrusted } from '../../lib/html.ts';
import { originList, type RunFacts } from './run.ts';

type Status = 'pending' | 'running' | 'done' | 'error';

const WAITING = {
  title: 'Plan result: not ready yet',
  text: 'The plan is being analyzed. Reload this page in a moment.',
};
const STATES: Record<Status, { title: string; text: string }> = {
  pending: WAITING,
  running: WAITING,
  done: {
    title: 'Plan result: no longer stored',
    text: 'The plan was analyzed, but its result is no longer stored. Submit the plan again.',
  },
  error: {
    title: 'Plan result: no verdict',
    text: 'The plan was not analyzed. Fix the problem described here and submit it again.',
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
