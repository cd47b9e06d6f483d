/**
 * Functions that build regular expressions and may be called when their module has long been loaded, each with the reason
 * why nobody else's text becomes part of a pattern. What they build while the modules load is checked like the rest.
 */
export const BUILDERS: ReadonlyMap<string, string> = new Map([
  ['engine/noise/catalog/signatures.ts', 'compiles the catalog of this repository once, when the module loads'],
  ['engine/redact/forms.ts', 'joins the list above it, when the module loads'],
]);
