import { readFileSync } from 'node:fs';

/** What the package says of itself. */
export function readManifest(): { version: string; homepage: string } {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
}
