import { z } from 'zod';
import { type GithubAppSettings, readAppKey } from '../lib/github-app.ts';
import { baseUrl, whole } from './values.ts';

/** Environment variables of the GitHub App. */
export const GITHUB_VARIABLES = {
  GITHUB_APP_ID: whole(1, 1_000_000_000).optional(),
  GITHUB_APP_SLUG: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, "must be the last part of the App's URL")
    .optional(),
  GITHUB_APP_PRIVATE_KEY: appKey().optional(),
  GITHUB_APP_CLIENT_ID: z.string().optional(),
  GITHUB_APP_CLIENT_SECRET: z.string().optional(),
  GITHUB_APP_WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  GITHUB_URL: baseUrl().optional(),
  GITHUB_API_URL: baseUrl().optional(),
};

type GithubVariables = z.infer<z.ZodObject<typeof GITHUB_VARIABLES>>;
type Name = keyof GithubVariables;

const APP_VARIABLES = (Object.keys(GITHUB_VARIABLES) as Name[]).filter((name) => name.startsWith('GITHUB_APP_'));
const PUBLIC = { web_url: 'https://github.com', api_url: 'https://api.github.com' };

/** Problems that no single variable shows; invalid values count as set. */
export function githubContradictions(given: Partial<Record<Name, unknown>>): string[] {
  const missing = APP_VARIABLES.filter((name) => given[name] === undefined);
  if (missing.length === APP_VARIABLES.length) {
    const stray = (['GITHUB_URL', 'GITHUB_API_URL'] as const).filter((name) => given[name] !== undefined);
    return stray.map((name) => `${name} also needs the variables of a GitHub App: ${APP_VARIABLES.join(', ')}`);
  }
  return missing.map((name) => `${name} is required with the other variables of the GitHub App`);
}

/** Called after githubContradictions found no problem. @returns null if there is no App */
export function githubAppSettings(given: GithubVariables): GithubAppSettings | null {
  if (given.GITHUB_APP_ID === undefined) return null;
  const web_url = given.GITHUB_URL ?? PUBLIC.web_url;
  return {
    app_id: given.GITHUB_APP_ID,
    slug: given.GITHUB_APP_SLUG ?? '',
    private_key: given.GITHUB_APP_PRIVATE_KEY ?? '',
    client_id: given.GITHUB_APP_CLIENT_ID ?? '',
    client_secret: given.GITHUB_APP_CLIENT_SECRET ?? '',
    webhook_secret: given.GITHUB_APP_WEBHOOK_SECRET ?? '',
    web_url,
    api_url: given.GITHUB_API_URL ?? (web_url === PUBLIC.web_url ? PUBLIC.api_url : `${web_url}/api/v3`),
  };
}

function appKey() {
  return z.string().transform((text, context) => {
    try {
      return readAppKey(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be an RSA private key, as PEM or as PEM in base64' });
      return z.NEVER;
    }
  });
}
