import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from './failure.ts';

/** A file to read. */
export interface JsonFile {
  path: string;
  /** The file was found in a folder, which can also contain other JSON files. */
  is_from_folder: boolean;
}

/** Large folders of other files. */
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '.terraform', '.terragrunt-cache']);

/**
 * Resolves arguments to files; a folder stands for every JSON file below it.
 *
 * @throws Failure if a folder contains no JSON file
 */
export async function findInputFiles(paths: readonly string[]): Promise<JsonFile[]> {
  const files: JsonFile[] = [];
  for (const path of paths) {
    if (!(await isFolder(path))) files.push({ path, is_from_folder: false });
    else for (const found of await findJsonFiles(path)) files.push({ path: found, is_from_folder: true });
  }
  if (files.length === 0) throw new Failure(`${paths.join(', ')}: no .json file found`);
  return files;
}

async function findJsonFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) found.push(...(await findJsonFiles(path)));
    else if (entry.isFile() && entry.name.endsWith('.json')) found.push(path);
  }
  return found;
}

/** A missing or unreadable file is reported when it is opened. */
async function isFolder(path: string): Promise<boolean> {
  if (path === '-') return false;
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
