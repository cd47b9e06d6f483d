import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import type { DocumentOperationId } from '../../contract/operation.ts';
import { withTag } from '../reply/reply.ts';
import { DOCS_HEADERS } from '../reply/security-headers.ts';
import type { Answer, Encoded } from '../request/exchange.ts';
import type { ContractDocument } from './document.ts';

/** A file that only the documentation page needs, outside of the API. */
export const SCRIPT_PATH = '/docs-assets/redoc.standalone.js';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Drift &amp; Plan Analysis: API</title>
  </head>
  <body style="margin: 0">
    <redoc spec-url="openapi.json" disable-google-font></redoc>
    <script src="${SCRIPT_PATH}"></script>
  </body>
</html>
`;

/** The responses that serve the contract; created once. */
export function documentAnswers({ json, yaml }: ContractDocument): Record<DocumentOperationId, Answer> {
  // Hashing and encoding 390 KB for each request would cost more than the rest of it.
  const buildAnswer = (type: string, body: string): Answer => {
    const plain = Buffer.from(body);
    return { ...withTag({ status: 200, headers: { 'Content-Type': type }, body }), encoded: encode(plain) };
  };
  return {
    getOpenapiJson: buildAnswer('application/json; charset=utf-8', json),
    getOpenapiYaml: buildAnswer('application/yaml; charset=utf-8', yaml),
    getDocs: { status: 200, headers: { ...DOCS_HEADERS, 'Content-Type': 'text/html; charset=utf-8' }, body: PAGE },
  };
}

function encode(plain: Buffer): Encoded {
  return { plain, gzip: gzipSync(plain, { level: 9 }) };
}

let script: Encoded | undefined;

/** The script of the page, from the installed package; nothing is loaded from other hosts. */
export function serveScript(req: Request, res: Response): void {
  script ??= encode(readFileSync(createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js')));
  res.setHeader('Content-Type', 'text/javascript; charset=utf-8');
  res.setHeader('Cache-Control', 'public, max-age=3600');
  res.end(chooseEncoding(req, res, script));
}

/** The bytes in an encoding that the caller accepts. */
export function chooseEncoding(req: Request, res: Response, { plain, gzip }: Encoded): Buffer {
  res.vary('Accept-Encoding');
  if (req.acceptsEncodings('gzip') !== 'gzip') return plain;
  res.setHeader('Content-Encoding', 'gzip');
  return gzip;
}
