import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { ZipFile } from 'yauzl';
import type { ArchiveFile } from './archive-entries.ts';

const STORED = 0;
const DEFLATED = 8;
const CHUNK_BYTES = 262_144;
/** Number of compressed bytes that are enough to see how a file starts. */
const PEEK_BYTES = 512;

/** `too_large`: there was not enough space for it. */
export type Unpacked = { bytes: Buffer } | { error: string } | { too_large: true };

/**
 * Unpacks files of one archive, up to `max_bytes` in total. The actual output counts, whatever the headers say, also
 * for files that turn out to be damaged.
 */
export function createUnpacker(archive: Buffer, zip: ZipFile, max_bytes: number) {
  let room = max_bytes;

  async function unpack(file: ArchiveFile): Promise<Unpacked> {
    const { entry } = file;
    if (entry.isEncrypted()) return { error: 'The file is encrypted: upload it without encryption.' };
    if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
      return { error: 'The file uses an unsupported compression method: use deflate, or no compression.' };
    }
    const packed = await packedBytes(file);
    const chunks = packed === null ? null : await inflate(packed, entry.compressionMethod === STORED);
    if (room < 0) return { too_large: true };
    if (chunks === null) return DAMAGED;
    const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    return bytes.length === entry.uncompressedSize && crc32(bytes) === entry.crc32 ? { bytes } : DAMAGED;
  }

  /** @returns null if the data is damaged or does not fit */
  async function inflate(packed: Buffer, is_stored: boolean): Promise<Buffer[] | null> {
    if (is_stored) return take(packed) ? [packed] : null;
    const chunks: Buffer[] = [];
    const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES });
    inflater.end(packed);
    try {
      for await (const chunk of inflater) {
        if (!take(chunk as Buffer)) return null;
        chunks.push(chunk as Buffer);
      }
    } catch {
      return null;
    }
    return chunks;
  }

  function take({ length }: Buffer): boolean {
    room -= length;
    return room >= 0;
  }

  async function packedBytes({ entry }: ArchiveFile): Promise<Buffer | null> {
    try {
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      const packed = archive.subarray(fileDataStart, fileDataStart + entry.compressedSize);
      return packed.length === entry.compressedSize ? packed : null;
    } catch {
      return null;
    }
  }

  /** @returns the first bytes of the file; undefined if they cannot be read */
  async function peek(file: ArchiveFile): Promise<Buffer> {
    const packed = (await packedBytes(file))?.subarray(0, PEEK_BYTES) ?? EMPTY;
    if (file.entry.compressionMethod === STORED) return packed;
    try {
      return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
    } catch {
      return EMPTY;
    }
  }

  return { unpack, peek, unpackedBytes: () => Math.min(max_bytes, max_bytes - room) };
}

const EMPTY = Buffer.alloc(0);
const DAMAGED = { error: 'The file is damaged inside the archive: upload it again.' };
