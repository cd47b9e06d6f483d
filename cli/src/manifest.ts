import { readFileSync } from 'node:fs';

/** Reads package.json of this package. */
export function readManifest(): { version: string; homepage: string } {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
}
