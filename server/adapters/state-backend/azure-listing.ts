import { isObject } from '../../lib/is-object.ts';

export interface BlobPage {
  names: string[];
  /** Empty on the last page. */
  next_marker: string;
}

/**
 * Reads a page of List Blobs.
 *
 * @returns undefined if this is not such a page, such as the HTML page of a proxy
 */
export async function parseBlobPage(xml: string): Promise<BlobPage | undefined> {
  const { XMLParser } = await import('fast-xml-parser');
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    trimValues: false,
    htmlEntities: true,
  });
  const page = tryParse(() => parser.parse(xml));
  const listing = isObject(page) ? page['EnumerationResults'] : undefined;
  if (!isObject(listing) || !Object.hasOwn(listing, 'Blobs')) return undefined;
  const { NextMarker: marker, Blobs: blobs } = listing;
  const listed = isObject(blobs) ? [blobs['Blob'] ?? []].flat() : [];
  const names = listed
    .filter((blob) => !isFolder(blob))
    .map((blob) => (isObject(blob) ? readName(blob['Name']) : null));
  // A name that cannot be read must not look like a blob that does not exist.
  if (!names.every((name) => name !== null)) return undefined;
  return { names, next_marker: typeof marker === 'string' ? marker : '' };
}

/** Accounts with a hierarchical namespace list their folders too. */
function isFolder(blob: unknown): boolean {
  const properties = isObject(blob) ? blob['Properties'] : undefined;
  return isObject(properties) && properties['ResourceType'] === 'directory';
}

function tryParse(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** A name with characters that XML cannot contain is percent-encoded, with an attribute that says so. */
function readName(name: unknown): string | null {
  if (typeof name === 'string') return name;
  if (!isObject(name) || typeof name['#text'] !== 'string') return null;
  const text = name['#text'];
  const decoded = name['@_Encoded'] === 'true' ? tryParse(() => decodeURIComponent(text)) : text;
  return typeof decoded === 'string' ? decoded : null;
}
