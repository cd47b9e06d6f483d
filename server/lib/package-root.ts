import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that contains `openapi.yaml`: the same from source and from the build, which is one level deeper. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'openapi.yaml'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('openapi.yaml is missing: this installation of dpa is incomplete');
    folder = parent;
  }
  return folder;
}
