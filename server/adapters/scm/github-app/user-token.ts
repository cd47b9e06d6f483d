import { z } from 'zod';
import { GithubAppError, type GithubAppSettings } from '../../../lib/github-app.ts';
import { toGithubError } from './client.ts';

const TIMEOUT_MS = 10_000;
const WHAT = 'the token of a user';
/** GitHub answers an invalid code with status 200 and an error. */
const ANSWER = z.object({ access_token: z.string().min(1) });

/**
 * Exchanges the code of a returning person for a user access token.
 *
 * @throws GithubAppError
 * @see GitHub's documentation, "Generating a user access token for a GitHub App"
 */
export async function userToken(settings: GithubAppSettings, code: string): Promise<string> {
  const { web_url, client_id, client_secret } = settings;
  const body = JSON.stringify({ client_id, client_secret, code });
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'dpa' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const url = `${web_url}/login/oauth/access_token`;
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch(() => undefined);
  if (answer?.status !== 200) throw toGithubError(WHAT, answer?.status);
  const read = ANSWER.safeParse(parseJson(answer.text));
  if (!read.success)
    throw new GithubAppError('refused', 'GitHub rejected the code: it was already used or has expired');
  return read.data.access_token;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
