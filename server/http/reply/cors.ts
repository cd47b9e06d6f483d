import type { Request, Response } from 'express';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS =
  'authorization, x-api-key, content-type, idempotency-key, if-match, if-none-match, x-request-id';
const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Resource',
  'Link',
  'X-Total-Count',
  'ETag',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'X-Checksum-SHA256',
  'X-Catalog-Version',
  'Idempotency-Replayed',
].join(', ');
const PREFLIGHT_MAX_AGE_S = '600';

/**
 * Allows pages of the given origins to call the API. Their cookies are never allowed, so cookies come only from the
 * service's own forms.
 */
export function cors(origins: readonly string[]) {
  const allowed = new Set(origins);
  /** @returns whether the request was a preflight request, which is then answered */
  return (req: Request, res: Response): boolean => {
    if (allowed.size > 0) res.vary('Origin');
    const { origin } = req.headers;
    const welcome = origin !== undefined && allowed.has(origin);
    if (welcome) {
      res.setHeader('Access-Control-Allow-Origin', origin);
      res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    }
    if (!isPreflight(req)) return false;
    if (welcome) {
      res.setHeader('Access-Control-Allow-Methods', METHODS);
      res.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
      res.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_S);
    }
    res.status(204).end();
    return true;
  };
}

function isPreflight(req: Request): boolean {
  return (
    req.method === 'OPTIONS' &&
    req.headers.origin !== undefined &&
    req.headers['access-control-request-method'] !== undefined
  );
}
