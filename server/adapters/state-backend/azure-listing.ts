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
  const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false, trimValues: false });
  const page = tryParse(() => parser.parse(xml));
  const listing = isObject(page) ? page['EnumerationResults'] : undefined;
  if (!isObject(listing)) return undefined;
  const { NextMarker: marker, Blobs: blobs } = listing;
  const listed = isObject(blobs) ? [blobs['Blob'] ?? []].flat() : [];
  const names = listed.flatMap((blob) => (isObject(blob) ? readName(blob['Name']) : []));
  return { names, next_marker: typeof marker === 'string' ? marker : '' };
}

function tryParse(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** A name with characters that XML cannot contain is percent-encoded, with an attribute that says so. */
function readName(name: unknown): string[] {
  if (typeof name === 'string') return [name];
  if (!isObject(name) || typeof name['#text'] !== 'string') return [];
  const text = name['#text'];
  const decoded = name['@_Encoded'] === 'true' ? tryParse(() => decodeURIComponent(text)) : text;
  return typeof decoded === 'string' ? [decoded] : [];
}
