import type { TokenCache } from './access-token.ts';
import type { Rest, RestRequest, RestResponse } from './request.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * Adds the token of the session to each request. A request that is rejected with status 401 is sent once more with a
 * new token, because a token can end before its time.
 */
export function createAuthorizedRest(rest: Rest, tokens: TokenCache): Rest {
  async function send(request: RestRequest, token: string): Promise<RestResponse> {
    return rest({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });
  }

  return async (request) => {
    const token = await untilAborted(tokens.get(), request.signal);
    const response = await send(request, token);
    if (response.status !== 401) return response;
    tokens.forget(token);
    return send(request, await untilAborted(tokens.get(), request.signal));
  };
}
