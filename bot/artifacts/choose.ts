import type { ArtifactRef } from '../../server/adapters/scm/types.ts';
import { compileGlob } from '../../server/lib/globs.ts';
import type { RepoSettings } from './types.ts';

const MAX_ARTIFACTS = 50;
/** Total download size per run, as declared by the Git host. */
const MAX_TOTAL_BYTES = 200 * 1_048_576;
const MAX_SHOWN = 3;

/**
 * Selects the artifacts of a run that may contain plans, by name; if several have the same name, the newest.
 *
 * @returns `left_out`: names of artifacts beyond the limits of count or total size
 */
export function chooseArtifacts(
  artifacts: readonly ArtifactRef[],
  { artifacts: globs }: RepoSettings,
): { chosen: ArtifactRef[]; left_out: string[] } {
  const compiled = globs.map(compileGlob);
  const newest = new Map<string, ArtifactRef>();
  for (const artifact of artifacts) {
    const known = newest.get(artifact.name);
    if (known === undefined || isNewer(artifact.id, known.id)) newest.set(artifact.name, artifact);
  }
  const matching = [...newest.values()]
    .filter(({ name }) =>
      compiled.some((glob) => glob.matches(flattenName(name)) || glob.mayMatchBelow(flattenName(name))),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const chosen = limitTotalSize(matching);
  const left_out = matching.filter((artifact) => !chosen.includes(artifact)).map(({ name }) => name);
  return { chosen, left_out };
}

/** IDs are increasing numbers. */
function isNewer(id: string, than: string): boolean {
  return id.length === than.length ? id > than : id.length > than.length;
}

function limitTotalSize(artifacts: ArtifactRef[]): ArtifactRef[] {
  let total = 0;
  return artifacts.slice(0, MAX_ARTIFACTS).filter(({ size }) => {
    total += size ?? 0;
    return total <= MAX_TOTAL_BYTES;
  });
}

/**
 * Determines which files of a selected artifact are read.
 *
 * @returns `name`: the prefix of file paths for the globs. `patterns`: null = all files that end in .json
 */
export function buildFileFilter(
  artifact: ArtifactRef,
  { artifacts: globs }: RepoSettings,
): { name: string; patterns: string[] | null } {
  const name = flattenName(artifact.name);
  const is_named = globs.some((glob) => compileGlob(glob).matches(name));
  return { name, patterns: is_named ? null : globs };
}

/** Replaces slashes in names of GitLab jobs, because a glob would treat them as folders. */
function flattenName(name: string): string {
  return name.replaceAll('/', '_');
}

/** `"a", "b" and 3 more` */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_SHOWN).map((name) => JSON.stringify(name));
  return names.length > MAX_SHOWN ? `${shown.join(', ')} and ${names.length - MAX_SHOWN} more` : shown.join(', ');
}
