import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

const STYLE = `
body { margin: 0; padding: 24px; background: #fff; color: #1f2328; font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
main { max-width: 912px; margin: 0 auto; border: 1px solid #d1d9e0; border-radius: 6px; padding: 16px; overflow-wrap: break-word; }
h3 { margin: 0 0 12px; font-size: 1.25em; font-weight: 400; } h4 { margin: 20px 0 8px; font-size: 1em; font-weight: 400; }
h3 strong, h4 strong { font-weight: 600; }
p, ul, table, details, blockquote { margin: 0 0 12px; }
code { background: #818b981f; border-radius: 6px; padding: .2em .4em; font: 85% ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: #f6f8fa; border-radius: 6px; padding: 12px; overflow: auto; } pre code { background: none; padding: 0; }
table { border-collapse: collapse; display: block; overflow: auto; } th, td { border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left; vertical-align: top; }
tr:nth-child(2n) { background: #f6f8fa; } blockquote { border-left: .25em solid #d1d9e0; padding: 0 1em; color: #59636e; }
summary { cursor: pointer; } sub { color: #59636e; } a { color: #0969da; }
`;

/** An HTML page that shows Markdown much like GitHub. */
export function renderPreviewPage(markdown: string): string {
  const body = micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Pull request comment</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${STYLE}</style></head>
<body><main>
${body}
</main></body></html>
`;
}
