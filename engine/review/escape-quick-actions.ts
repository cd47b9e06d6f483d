import type { Dialect } from './types.ts';

/** Escapes leading slashes for GitLab, which runs such lines outside code blocks as quick actions. */
export function escapeQuickActions(text: string, dialect: Dialect): string {
  if (dialect === 'github') return text;
  let fenced = false;
  const lines = text.split('\n').map((line) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    return fenced ? line : line.replace(/^(\s*)\//, '$1\\/');
  });
  return lines.join('\n');
}
