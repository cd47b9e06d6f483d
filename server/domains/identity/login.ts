import type { Login, StoredUser } from './types.ts';

/** How often an unchanged sign-in is recorded. */
const LOGIN_RESOLUTION_MS = 5 * 60_000;

/** Whether the stored user differs from this sign-in, or was not updated for a while. */
export function needsRefresh(user: StoredUser, login: Login, now: Date): boolean {
  if (user.email !== login.email || user.display_name !== login.display_name) return true;
  return user.last_login_at === null || now.getTime() - user.last_login_at.getTime() > LOGIN_RESOLUTION_MS;
}
