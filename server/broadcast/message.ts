import type { AuthzChange } from '../lib/authz-bus.ts';

export const CHANNEL = 'authz_invalidate';

export function toMessage(change: AuthzChange): string {
  return JSON.stringify(change);
}

/** A message that this release does not know counts as a change of everything. */
export function fromMessage(text: string): AuthzChange | 'everything' {
  const { what, id } = parse(text) ?? {};
  if (what === 'allowlist') return { what };
  if ((what === 'user' || what === 'key') && typeof id === 'string') return { what, id };
  return 'everything';
}

function parse(text: string): { what?: unknown; id?: unknown } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
