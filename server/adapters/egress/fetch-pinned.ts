import { Readable } from 'node:stream';
import { isPlain, type OutgoingRequest, respond } from './request.ts';
import { EgressError } from './types.ts';

const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * The answer to one request as `fetch` gives it, its body not yet read: whoever reads it decides how much is enough.
 *
 * @throws EgressError `unreachable`, or `unusable` when the answer is compressed or none of HTTP's
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

/** Node and the standard library of fetch declare one and the same stream twice. */
function toWebBody(message: Readable): Body {
  return Readable.toWeb(message) as unknown as Body;
}
