/** `owner/name`, as in rules; null unless both are known. */
export function formatRepo(owner: string | null, name: string | null): string | null {
  return owner === null || name === null ? null : `${owner}/${name}`;
}
