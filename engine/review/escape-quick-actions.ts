import type { Dialect } from './types.ts';

/** GitLab takes a line that begins with a slash for an order, but for one in a code block. */
export function escapeQuickActions(text: string, dialect: Dialect): string {
  if (dialect === 'github') return text;
  let fenced = false;
  const lines = text.split('\n').map((line) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    return fenced ? line : line.replace(/^(\s*)\//, '$1\\/');
  });
  return lines.join('\n');
}
