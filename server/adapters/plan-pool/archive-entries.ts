import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';

/** Maximum number of files of an archive that are examined. */
const MAX_LOOKED_AT = 10_000;
/** An archive with more entries was not produced by a CI run. */
const MAX_LISTED = 1_000_000;
const MAX_NAME_BYTES = 500;
const LOCAL_HEADER_BYTES = 30;
const UNIX_LINK = 0o120000;
const UNIX_KIND = 0o170000;

/** A regular file of an archive, with a name that stays inside the archive and is unique in it. */
export interface ArchiveFile {
  path: string;
  entry: Entry;
}

export interface Listing {
  zip: ZipFile;
  files: ArchiveFile[];
  /** Notes about skipped files that may matter. */
  problems: string[];
}

/**
 * Reads the central directory.
 *
 * @returns text if no file of the archive can be read: the reason, for people
 */
export async function listFiles(bytes: Buffer, isOfInterest: (path: string) => boolean): Promise<Listing | string> {
  try {
    // Names are decoded here because the library would abort the whole listing at an unsafe name, and treats a
    // backslash as a slash.
    const zip = await fromBufferPromise(bytes, { decodeStrings: false, validateEntrySizes: false });
    if (zip.entryCount > MAX_LISTED) {
      return `The archive lists ${zip.entryCount} files; archives with more than ${MAX_LISTED} are not read.`;
    }
    return await selectFiles(zip, isOfInterest);
  } catch {
    return 'The archive cannot be read: it is damaged, or not a ZIP file.';
  }
}

async function selectFiles(zip: ZipFile, isOfInterest: (path: string) => boolean): Promise<Listing | string> {
  const examined: Entry[] = [];
  const files = new Map<string, ArchiveFile>();
  const skipped = { unsafe: 0, links: 0, duplicates: 0 };
  for await (const entry of zip.eachEntry()) {
    examined.push(entry);
    const path = readName(entry);
    if (isOfInterest(path)) {
      if (isUnsafe(path)) skipped.unsafe += 1;
      else if (isLink(entry)) skipped.links += 1;
      else if (files.has(path)) skipped.duplicates += 1;
      else files.set(path, { path, entry });
    }
    if (examined.length === MAX_LOOKED_AT) break;
  }
  if (hasOverlap(examined)) return 'The archive is not read: its files overlap, which CI systems never produce.';
  return {
    zip,
    files: [...files.values()],
    problems: [...describeSkipped(skipped), ...describeCutOff(zip, examined.length)],
  };
}

function readName(entry: Entry): string {
  return getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
}

function isUnsafe(path: string): boolean {
  return (
    Buffer.byteLength(path) > MAX_NAME_BYTES ||
    /[\p{Cc}\\]|^\/|^[a-z]:/iu.test(path) ||
    path.split('/').some((segment) => segment === '..')
  );
}

function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & UNIX_KIND) === UNIX_LINK;
}

/** Whether two files use the same bytes, which makes a small archive unpack endlessly. */
function hasOverlap(entries: Entry[]): boolean {
  const spans = entries
    .map((entry) => {
      const start = entry.relativeOffsetOfLocalHeader;
      return { start, end: start + LOCAL_HEADER_BYTES + entry.fileNameLength + entry.compressedSize };
    })
    .sort((a, b) => a.start - b.start);
  return spans.some(({ end }, i) => end > (spans[i + 1]?.start ?? Number.POSITIVE_INFINITY));
}

function describeSkipped({
  unsafe,
  links,
  duplicates,
}: {
  unsafe: number;
  links: number;
  duplicates: number;
}): string[] {
  const reports = [
    [unsafe, 'a name that is absolute, points outside the archive, or is longer than 500 bytes'],
    [links, 'a file type that is a link or not regular'],
    [duplicates, 'the same name as an earlier file'],
  ] as const;
  return reports
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} *.json ${count === 1 ? 'file was' : 'files were'} not read because of ${what}.`);
}

function describeCutOff({ entryCount }: ZipFile, looked_at: number): string[] {
  if (entryCount <= looked_at) return [];
  return [
    `The archive lists ${entryCount} files, of which only the first ${looked_at} were checked: upload the plans separately.`,
  ];
}
