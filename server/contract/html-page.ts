/** A page for people, which the HTTP layer serves with a policy that lets it do nothing but what is named here. */
export class HtmlPage {
  readonly text: string;
  /** What stands in its one `style` element; nothing else styles it, and no script runs. */
  readonly style: string;
  /** Origins other than its own to which the answer to its form may redirect, such as `https://dpa.example.com`. */
  readonly form_leads_to: readonly string[];

  constructor({ text, style, form_leads_to }: { text: string; style: string; form_leads_to: readonly string[] }) {
    this.text = text;
    this.style = style;
    this.form_leads_to = form_leads_to;
  }
}
