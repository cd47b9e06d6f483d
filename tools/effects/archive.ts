import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const IGNORED = ['*/enums/*', '*output.d.ts'];

/** Folder with the typings of a package, see {@link fetchPackage}. */
export function fetchTypings(spec: string, cache: string): string {
  return fetchPackage(spec, cache, ['*.d.ts']);
}

/**
 * Folder with files of a package from the npm registry. Downloads at most once per version and kind of files.
 *
 * @param spec name and version, such as `@pulumi/aws@7.48.0`
 * @param cache existing folder outside the repository
 * @param wanted patterns of the files
 * @throws Error if npm or tar fails
 */
export function fetchPackage(spec: string, cache: string, wanted: readonly string[]): string {
  const kind = wanted.map((pattern) => pattern.replace('*', '')).join('');
  const folder = join(cache, `${spec.replace(/^@/, '').replaceAll(/[/@]/g, '-')}${kind === '.d.ts' ? '' : kind}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const packed = run('npm', ['pack', '--silent', spec, '--pack-destination', cache]);
  const archive = join(cache, packed.trim().split('\n').at(-1)!);
  const ignored = IGNORED.map((pattern) => `--exclude=${pattern}`);
  run('tar', ['-xzf', archive, '-C', partial, '--strip-components=1', '--wildcards', ...wanted, ...ignored]);
  rmSync(archive);
  renameSync(partial, folder);
  return folder;
}

function run(command: string, args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
