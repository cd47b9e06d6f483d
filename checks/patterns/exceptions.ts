/**
 * Functions that build regular expressions and may be called when their module has long been loaded, each with the reason
 * why nobody else's text becomes part of a pattern. What they build is checked like the rest: see built-patterns.ts.
 */
export const BUILDERS: ReadonlyMap<string, string> = new Map([
  ['engine/noise-catalog/signatures.ts', 'compiles the catalog of this repository, each rule once'],
  ['engine/redact/secret-patterns.ts', 'joins the list above it, when the module loads'],
]);
