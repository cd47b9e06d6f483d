import type { JsonValue } from '../model/result.ts';

/** Formats of a text inside an attribute. `text` is everything that no parser reads. */
export type DocumentFormat = 'json' | 'yaml' | 'xml' | 'properties' | 'sql' | 'script' | 'text';

/** A text inside an attribute, read by its format. */
export interface Document {
  format: DocumentFormat;
  /** The content of json, yaml and properties. A YAML stream of several documents is a list. */
  tree?: JsonValue;
  /** Parsing may have lost a difference: duplicate keys, long numbers. Such trees are judged, but never proven equal. */
  lossy?: boolean;
  /** How the numbers of a JSON text are written, sorted, if one has a form such as `1.0`, which some programs tell from `1`. */
  numbers?: string[];
  /** Reading the text, or a part of it, would take too much time or memory. Its lines are read instead. */
  unread?: boolean;
  /**
   * The statements of every other format, in order and without comments: elements of XML, statements of SQL, lines of
   * the rest.
   */
  statements?: string[];
  /** What must be equal for two texts without a tree to mean the same; `statements` if absent. */
  exact?: string[];
}

/**
 * Parsers from packages. They take time to load, so a host passes them only if a plan may need them; without them, YAML
 * and XML are read as text, and compressed content is not read at all.
 */
export interface DocumentParsers {
  /**
   * @returns the documents of a YAML stream
   * @throws when the text is not YAML, or expands to more than it should
   */
  parseYaml(text: string): JsonValue[];
  /**
   * @returns the elements in document order, each as its path, attributes and text
   * @throws when the text is not XML
   */
  parseXml(text: string): string[];
  /**
   * @returns the decompressed bytes
   * @throws when the bytes are not gzip, or expand to more than `max_bytes`
   */
  gunzip(bytes: Uint8Array, max_bytes: number): Uint8Array;
}

/** One place where two documents differ. */
export interface DocumentDifference {
  /** Keys and list indexes inside the document, as in the newer side; empty for a statement. */
  path: (string | number)[];
  /** undefined when the side does not have it. */
  before: JsonValue | undefined;
  after: JsonValue | undefined;
}
