import type { Request, Response } from 'express';
import type { HtmlPage } from '../../contract/html-page.ts';
import { NotFound, UnsupportedMediaType } from '../../lib/errors.ts';
import type { Logger } from '../../log.ts';
import { credentialPage, linkRefusedPage, refusalPage } from '../../pages/credential-page.ts';
import type { Operation } from '../contract/operations.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { ResultPages } from '../ports.ts';
import { errorAnswer, shownError } from '../reply/errors.ts';
import { pageAnswer } from '../reply/reply.ts';
import type { Admission, Sender } from '../request/admission.ts';
import type { Answer } from '../request/exchange.ts';
import { parseForm } from '../request/parse-form.ts';
import { readBody } from '../request/read-body.ts';
import { readRequestId } from '../request/request-id.ts';
import { isForm } from '../transport.ts';

/** A token of 16 KiB and the form encoding. As small as headers can be, so no memory must be reserved. */
const FORM_LIMIT = { bytes: 20_000, hint: 'send only the credential' };
const FORM_WITHIN_MS = 10_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface ResultPagesDeps {
  results: ResultPages;
  /** The operation whose access rules apply: a caller who can read a result through the API can read its page. */
  operation: Operation;
  admission: Admission;
  limits: RateLimits;
  log: Logger;
}

/**
 * Handles `/results/{id}`, always with a page. A result is shown for a signed link, or for an API credential in a
 * header or from the form of the page; the form creates no session.
 */
export function createResultPages({ results, operation, admission, limits, log }: ResultPagesDeps) {
  /** Never throws. */
  async function answer(req: Request, res: Response): Promise<Answer> {
    try {
      return await open(req, res);
    } catch (error) {
      const request_id = readRequestId(res);
      const shown = shownError(log, error, request_id, req.method);
      const { 'Content-Type': _json, ...headers } = errorAnswer(shown, request_id).headers;
      return pageAnswer(shown.status, refusalPage(shown.status, shown.message, request_id), headers);
    } finally {
      limits.show(res);
    }
  }

  async function open(req: Request, res: Response): Promise<Answer> {
    const id = String(req.params['id']).toLowerCase();
    const sends_form = req.method === 'POST';
    const has_credential = hasCredential(req);
    await limits.admitAddress(req, !has_credential && !sends_form);
    if (!UUID.test(id)) throw new NotFound();
    const sender = sends_form && !has_credential ? withCredential(req, await readCredentialField(req, res)) : req;
    if (hasCredential(sender)) return pageAnswer(200, await openAsCaller(sender, res, id));
    const { link } = req.query;
    return typeof link === 'string' ? openByLink(res, id, link) : pageAnswer(200, credentialPage());
  }

  async function openAsCaller(sender: Sender, res: Response, id: string): Promise<HtmlPage> {
    const principal = await admission.identify(sender, res);
    const org_id = await results.findOrgId(principal, id);
    if (org_id === undefined) throw new NotFound();
    await admission.enter(operation, { id: org_id, scan_id: id }, principal, res);
    return results.getPage(org_id, id);
  }

  async function openByLink(res: Response, id: string, text: string): Promise<Answer> {
    const link = await results.openLink(text, id);
    if (link.state !== 'valid') return pageAnswer(403, linkRefusedPage(link.state === 'expired' ? link.at : null));
    await limits.spend(res, 'org', link.org_id);
    return pageAnswer(200, await results.getPage(link.org_id, id));
  }

  return answer;
}

function hasCredential({ headers }: Sender): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined;
}

/** @throws UnsupportedMediaType; PayloadTooLarge; InvalidInput */
async function readCredentialField(req: Request, res: Response): Promise<string> {
  if (!isForm(req)) throw new UnsupportedMediaType('content type must be application/x-www-form-urlencoded, in UTF-8');
  const raw = await readBody(req, res, { limit: FORM_LIMIT, within_ms: FORM_WITHIN_MS });
  return (parseForm(raw)['credential'] ?? '').trim();
}

/** The sender as if the credential had been sent in the API's header: access tokens contain dots, API keys do not. */
function withCredential({ ip }: Request, credential: string): Sender {
  const [name, value] = credential.includes('.')
    ? ['authorization', `Bearer ${credential}`]
    : ['x-api-key', credential];
  return { ip, headers: { [name]: value }, headersDistinct: { [name]: [value] } };
}
