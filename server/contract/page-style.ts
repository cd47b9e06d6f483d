/**
 * The style of all pages, light and dark. Text has a contrast of at least 4.5 to 1 in both, and no state is shown by
 * color alone.
 */
export const PAGE_STYLE = `
  :root {
    color-scheme: light dark;
    --text: #1f2328; --soft: #59636e; --page: #fff; --panel: #f6f8fa; --line: #d1d9e0; --link: #0550ae;
    --critical: #a40e26; --high: #b5400b; --medium: #7d4e00; --low: #0550ae; --none: #116329;
    font: 16px/1.5 system-ui, sans-serif;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --text: #e6edf3; --soft: #9da7b1; --page: #0d1117; --panel: #161b22; --line: #3d444d; --link: #79b8ff;
      --critical: #ff938a; --high: #ffa657; --medium: #e3b341; --low: #79b8ff; --none: #56d364;
    }
  }
  body { margin: 0; color: var(--text); background: var(--page); }
  main { max-width: 56rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
  h1 { font-size: 1.6rem; line-height: 1.25; }
  h2 { font-size: 1.25rem; margin-top: 2.25rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
  h3 { font-size: 1.05rem; margin: 0 0 .25rem; }
  a { color: var(--link); }
  a:focus-visible, summary:focus-visible, button:focus-visible, input:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
  code { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: 6px; }
  dt { color: var(--soft); }
  dd { margin: 0; font-weight: 600; }
  .warning { padding: .75rem 1rem; border-left: 4px solid #d29922; background: var(--panel); }
  .soft { color: var(--soft); }
  .verdict { padding: .75rem 1rem; border: 1px solid var(--line); border-left: 6px solid currentColor; border-radius: 6px; background: var(--panel); }
  .verdict p { color: var(--text); margin: .25rem 0; }
  .critical { color: var(--critical); } .high { color: var(--high); } .medium { color: var(--medium); }
  .low { color: var(--low); } .none { color: var(--none); }
  .level { font-weight: 600; white-space: nowrap; }
  .change { padding: .75rem 1rem; margin: .75rem 0; border: 1px solid var(--line); border-radius: 6px; }
  .change p, .change ul { margin: .25rem 0; }
  ul { padding-left: 1.25rem; }
  summary { cursor: pointer; padding: .25rem 0; }
  table { width: 100%; border-collapse: collapse; font-size: .9rem; }
  th, td { padding: .375rem .5rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
  thead th { background: var(--panel); }
  tbody th { font-weight: 400; }
  form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
  label { flex-basis: 100%; font-weight: 600; }
  input { flex: 1 1 16rem; min-width: 0; font: inherit; padding: .5rem; border: 1px solid var(--soft); border-radius: 6px; color: inherit; background: var(--page); }
  button { font: inherit; padding: .5rem 1rem; border-radius: 6px; border: 1px solid var(--soft); cursor: pointer; }
  button.primary { background: #0b5cad; border-color: #0b5cad; color: #fff; }
  @media (max-width: 40rem) {
    dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; }
    table { table-layout: fixed; font-size: .8rem; } th, td { padding: .25rem; }
  }
`;
