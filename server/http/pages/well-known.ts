import type { NextFunction, Request, Response } from 'express';
import type { WellKnown } from '../ports.ts';

const PATHS = {
  '/.well-known/openid-configuration': 'configuration',
  '/.well-known/jwks.json': 'jwks',
} as const;

export const WELL_KNOWN_PATHS = Object.keys(PATHS) as (keyof typeof PATHS)[];

/** Documents that clouds fetch to verify the tokens of this deployment; public, and 404 if there are none. */
export function serveWellKnown(wellKnown: WellKnown) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const documents = wellKnown();
    if (documents === null) {
      next();
      return;
    }
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Cache-Control', 'public, max-age=300');
    res.end(JSON.stringify(documents[PATHS[req.path as keyof typeof PATHS]]));
  };
}
