import { type Html, html, trusted } from '../lib/html.ts';
import { PAGE_STYLE } from './page-style.ts';

/** A page for people. The HTTP layer serves it with a policy that allows only what is named here. */
export class HtmlPage {
  readonly text: string;
  /** Content of its single `style` element; there are no other styles and no scripts. */
  readonly style = PAGE_STYLE;
  /** Other origins to which the response to its form can redirect, such as `https://dpa.example.com`. */
  readonly form_redirect_origins: readonly string[];

  /** @param text a whole document written by `documentText` */
  constructor(text: string, form_redirect_origins: readonly string[] = []) {
    this.text = text;
    this.form_redirect_origins = form_redirect_origins;
  }
}

/** A whole document in the common style of all pages. */
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
