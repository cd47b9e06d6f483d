import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../lib/package-root.ts';
import { describeContract } from './described-contract.ts';
import type { OpenapiDocument } from './openapi-types.ts';

/** The contract: as YAML text, as JSON text, and parsed. */
export interface ContractDocument {
  yaml: string;
  json: string;
  api: OpenapiDocument;
}

/** Reads the contract, and adds who can call each operation; the served contract is the one that validates requests. */
export function loadDocument(path = join(packageRoot(), 'openapi.yaml')): ContractDocument {
  const source = readFileSync(path, 'utf8');
  const api = parse(source, { maxAliasCount: 0 }) as OpenapiDocument;
  const yaml = describeContract(source, api);
  return { yaml, json: JSON.stringify(api), api };
}
