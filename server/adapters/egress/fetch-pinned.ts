import { Readable } from 'node:stream';
import { isPlain, type OutgoingRequest, respond } from './request.ts';
import { EgressError } from './types.ts';

const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * The response to one request, as `fetch` returns it. The body has not been read: the caller limits how much it reads.
 *
 * @throws EgressError `unreachable`, or `unusable` if the response is compressed or not valid HTTP
 */
export async function fetchPinned(request: OutgoingRequest): Promise<Response> {
  const message = await respond(request);
  const status = message.statusCode ?? 0;
  if (!isPlain(message) || status < 200 || status > 599) {
    message.destroy();
    throw new EgressError('unusable', `${request.url.host} sent a response with an unexpected encoding`);
  }
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  if (!WITHOUT_BODY.has(status)) return new Response(toWebBody(message), { status, headers });
  message.resume();
  return new Response(null, { status, headers });
}

type Body = ConstructorParameters<typeof Response>[0];

/** Node and the standard fetch types declare the same stream twice. */
function toWebBody(message: Readable): Body {
  return Readable.toWeb(message) as unknown as Body;
}
