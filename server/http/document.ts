import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../lib/package-root.ts';
import type { OpenapiDocument } from './openapi-types.ts';

/** `openapi.yaml`: its text, the same as JSON text, and parsed. */
export interface ContractDocument {
  yaml: string;
  json: string;
  api: OpenapiDocument;
}

/** Reads the contract; the very file that is served and that requests are checked against. */
export function loadDocument(path = join(packageRoot(), 'openapi.yaml')): ContractDocument {
  const yaml = readFileSync(path, 'utf8');
  const api = parse(yaml, { maxAliasCount: 0 }) as OpenapiDocument;
  return { yaml, json: JSON.stringify(api), api };
}
