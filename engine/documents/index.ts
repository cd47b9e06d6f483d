/** The parsers of documents inside attributes. The engine works without them; a host loads them when a plan needs them. */
export { documentParsers } from './parsers.ts';
export type { DocumentParsers } from './types.ts';
