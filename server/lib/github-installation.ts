import { z } from 'zod';

/** An installation of the App, from GitHub. */
export interface HostedInstallation {
  installation_id: number;
  account_login: string;
  account_type: 'User' | 'Organization';
  account_avatar_url: string | null;
  repository_selection: 'all' | 'selected';
  /** Levels by name, such as `{ checks: 'write' }`. */
  permissions: Record<string, string>;
  is_suspended: boolean;
  /** Where people manage it at GitHub. */
  html_url: string;
}

/** An installation on an enterprise cannot be linked, because it has no repositories. */
const INSTALLATION = z.object({
  id: z.int().positive(),
  account: z.object({
    login: z.string().min(1),
    type: z.enum(['User', 'Organization']),
    avatar_url: z.string().nullish(),
  }),
  repository_selection: z.enum(['all', 'selected']),
  permissions: z.record(z.string(), z.string()),
  suspended_at: z.union([z.string(), z.number()]).nullish(),
  html_url: z.string(),
});

/** Parses an installation from GitHub's API or a delivery; undefined if it cannot be linked. */
export function readInstallation(value: unknown): HostedInstallation | undefined {
  const read = INSTALLATION.safeParse(value);
  if (!read.success) return undefined;
  const { id, account, repository_selection, permissions, suspended_at, html_url } = read.data;
  return {
    installation_id: id,
    account_login: account.login,
    account_type: account.type,
    account_avatar_url: account.avatar_url ?? null,
    repository_selection,
    permissions,
    is_suspended: suspended_at != null,
    html_url,
  };
}
