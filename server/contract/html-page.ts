import { type Html, html, trusted } from '../lib/html.ts';
import { PAGE_STYLE } from './page-style.ts';

/** A page for people, which the HTTP layer serves with a policy that lets it do nothing but what is named here. */
export class HtmlPage {
  readonly text: string;
  /** What stands in its one `style` element; nothing else styles it, and no script runs. */
  readonly style = PAGE_STYLE;
  /** Origins other than its own to which the answer to its form may redirect, such as `https://dpa.example.com`. */
  readonly form_redirect_origins: readonly string[];

  /** @param text a whole document that `documentText` wrote */
  constructor(text: string, form_redirect_origins: readonly string[] = []) {
    this.text = text;
    this.form_redirect_origins = form_redirect_origins;
  }
}

/** A whole document in the one style of all pages. */
export function renderDocument(title: string, main: Html): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex, nofollow">
    <title>${title}</title>
    <style>${trusted(PAGE_STYLE)}</style>
  </head>
  <body>
    <main>
${main}
    </main>
  </body>
</html>
`.text;
}
