/**
 * Functions that build regular expressions and may be called after their module has loaded, each with the reason why no
 * untrusted text becomes part of a pattern. Their patterns are checked like all others: see built-patterns.ts.
 */
export const BUILDERS: ReadonlyMap<string, string> = new Map([
  ['engine/noise-catalog/signatures.ts', 'compiles the catalog of this repository, each rule once'],
  ['engine/redact/secret-patterns.ts', 'joins the list above it, when the module loads'],
]);
