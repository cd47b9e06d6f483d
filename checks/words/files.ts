import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = [
  ...[
    'engine',
    'server',
    'bot',
    'cli/src',
    'sdk/src',
    'bench',
    'checks',
    'test',
    'migrations',
    'docs',
    'openapi',
    'ci',
  ],
];
const ROOT_FILES = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...['action.yml', 'docker-compose.yml', '.env.example', '.dependency-cruiser.mjs'],
];
const CHECKED = /\.(?:[cm]?[jt]s|md|ya?ml|sql|py|sh)$/;
const SKIPPED = [
  /^checks\/words\/|^test\/checks\/words\./, // they name the words
  /^sdk\/src\/generated\/|\.d\.ts$/, // generated, or types of other packages
  /^test\/fixtures\/|^test\/score\/independent-sets\//, // the words of others
];
/** Merged migrations are never edited. */
const FIRST_MIGRATION = 'migrations/20261124';

/** The files to check, as paths from `root`, sorted. */
export function listCheckedFiles(root: string): string[] {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return [...ROOT_FILES, ...paths.filter(isChecked)].sort();
}

/** Whether the text of this file is our own and may still be changed. */
export function isChecked(path: string): boolean {
  if (!CHECKED.test(path) || SKIPPED.some((pattern) => pattern.test(path))) return false;
  return !path.startsWith('migrations/') || path >= FIRST_MIGRATION;
}
