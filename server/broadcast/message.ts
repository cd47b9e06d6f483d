import type { AuthzChange } from '../lib/authz-bus.ts';

export const CHANNEL = 'authz_invalidate';

export function toMessage(change: AuthzChange): string {
  return JSON.stringify(change);
}

/** A message of another release that this one does not know counts as a change of everything. */
export function fromMessage(text: string): AuthzChange | 'everything' {
  let change: Partial<AuthzChange & { id: string }>;
  try {
    change = JSON.parse(text);
  } catch {
    return 'everything';
  }
  const { what, id } = change;
  if (what === 'allowlist') return { what };
  if ((what === 'user' || what === 'key') && typeof id === 'string') return { what, id };
  return 'everything';
}
