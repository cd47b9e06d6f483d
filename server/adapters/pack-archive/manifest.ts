/** A line that `sha256sum -c` reads. */
export function manifestLine(name: string, sha256: string): string {
  return `${sha256}  ${name}\n`;
}

/** The order of names in a pack: by bytes, whatever the locale. */
export function compareNames([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}
