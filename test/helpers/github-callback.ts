import type { Answer, Caller } from './service.ts';

export const CALLBACK_PATH = '/api/v2/scm/github/callback';
export const CONFIRM_PATH = '/api/v2/scm/github/confirm';

/** What a browser gets from the confirmation page: the form's token and the cookie. */
export function readForm(page: Answer): { token: string; cookie: string } {
  const token = /name="token" value="([^"]+)"/.exec(String(page.body))?.[1];
  const cookie = page.headers.get('set-cookie')?.split(';')[0];
  if (token === undefined || cookie === undefined) throw new Error(`no confirmation page: ${page.status}`);
  return { token, cookie };
}

/** Submits the confirmation page. @param headers in addition to those of the browser that loaded it */
export async function submitForm(
  caller: Caller,
  page: Answer,
  { decision = 'link', headers = {} }: { decision?: 'link' | 'cancel'; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { token, cookie } = readForm(page);
  const body = new URLSearchParams({ token, decision }).toString();
  const form = { 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers };
  return caller.send('POST', CONFIRM_PATH, body, form);
}
