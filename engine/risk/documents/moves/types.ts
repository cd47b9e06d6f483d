import type { MaybeJson } from '../../../changes/values.ts';
import type { DocumentDifference } from '../../../documents/types.ts';
import type { SettingFinding } from '../settings.ts';

/** A part of a document whose kind is known, before and after. */
export interface KnownPart {
  /** Such as `chart/vault`, `file/alertmanager` or `lines/nginx`. */
  kind: string;
  /** Where it stands in the document. */
  at: DocumentDifference['path'];
  before: MaybeJson;
  after: MaybeJson;
}

/** What the tables of moves say about one place of a document. */
export interface MoveFinding {
  difference: DocumentDifference;
  found: SettingFinding;
}

/** By what a kind of document is recognized. */
export interface KindSigns {
  /** Parts of the names of its files, in lower case, or of the attribute or resource type that holds it. */
  names?: readonly string[];
  /** Keys that only it has, all of one entry together, separated by blanks. `kind=Name` is a key with its value. */
  keys?: readonly string[];
}
