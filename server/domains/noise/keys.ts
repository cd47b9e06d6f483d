/** SQL keys for texts that are too long for an index: the first half of a SHA-256 in the form of a UUID. */

/** A fingerprint at an address: the unit that is suppressed and that recurs. Both are SQL expressions. */
export function pairKey(fingerprint: string, address: string): string {
  return hashToUuid(`${fingerprint} || ' ' || ${address}`);
}

/** A repository; plans without one share a key. */
export function repoKey(owner: string, name: string): string {
  return hashToUuid(`json_build_array('repo', ${owner}, ${name})::text`);
}

/**
 * The unit that counts once: a pull request, however often it is pushed to; else a commit of a repository; if neither
 * is known, the run. All are columns of `row`.
 */
export function runKey(row: string): string {
  const pull = `json_build_array('pull', ${row}.repo_owner, ${row}.repo_name, ${row}.pr_number)::text`;
  const commit = `json_build_array('commit', ${row}.repo_owner, ${row}.repo_name, ${row}.commit_sha)::text`;
  const run = `json_build_array('run', ${row}.scan_run_id)::text`;
  const is_pull = `${row}.pr_number is not null and ${row}.repo_name is not null`;
  return hashToUuid(`case when ${is_pull} then ${pull} when ${row}.commit_sha is null then ${run} else ${commit} end`);
}

function hashToUuid(text: string): string {
  return `encode(substr(sha256(convert_to(${text}, 'UTF8')), 1, 16), 'hex')::uuid`;
}
