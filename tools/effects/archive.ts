import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const IGNORED = ['*/enums/*', '*output.d.ts'];

/**
 * Folder with the typings of a package from the npm registry. Downloads at most once per version.
 *
 * @param spec name and version, such as `@pulumi/aws@7.48.0`
 * @param cache existing folder outside the repository
 * @throws Error if npm or tar fails
 */
export function fetchTypings(spec: string, cache: string): string {
  const folder = join(cache, spec.replace(/^@/, '').replaceAll(/[/@]/g, '-'));
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const packed = run('npm', ['pack', '--silent', spec, '--pack-destination', cache]);
  const archive = join(cache, packed.trim().split('\n').at(-1)!);
  const ignored = IGNORED.map((pattern) => `--exclude=${pattern}`);
  run('tar', ['-xzf', archive, '-C', partial, '--strip-components=1', '--wildcards', '*.d.ts', ...ignored]);
  rmSync(archive);
  renameSync(partial, folder);
  return folder;
}

function run(command: string, args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
