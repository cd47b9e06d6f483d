import { crc32 } from 'node:zlib';
import { type Options, ZipFile } from 'yazl';

type Files = Record<string, string | Buffer>;

/** An archive of these files, like an upload of a CI run. */
export async function createZip(files: Files, options: Partial<Options> = {}): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path, options);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** A file of an archive with invalid metadata; values that are not given are correct. */
export interface RawEntry {
  name: string | Buffer;
  data?: Buffer;
  method?: number;
  flags?: number;
  crc?: number;
  /** Unpacked size in the header. */
  size?: number;
  packed_size?: number;
  /** Offset of the local header. */
  offset?: number;
  /** Unix mode. */
  mode?: number;
}

/** An archive built byte by byte. */
export function rawZip(entries: RawEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const data = entry.data ?? Buffer.alloc(0);
    const name = Buffer.from(entry.name);
    const local = Buffer.concat([localHeader(entry, name), name, data]);
    central.push(Buffer.concat([centralHeader(entry, name, at), name]));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  return Buffer.concat([...locals, directory, ending(entries.length, directory.length, at)]);
}

function localHeader({ flags, method }: RawEntry, name: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(flags ?? 0x800, 6);
  header.writeUInt16LE(method ?? 0, 8);
  header.writeUInt16LE(name.length, 26);
  return header;
}

/** The entry of a file in the central directory, for a local header at offset `at`. */
export function centralHeader(entry: RawEntry, name: Buffer, at: number): Buffer {
  const data = entry.data ?? Buffer.alloc(0);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(0x0314, 4);
  header.writeUInt16LE(entry.flags ?? 0x800, 8);
  header.writeUInt16LE(entry.method ?? 0, 10);
  header.writeUInt32LE(entry.crc ?? crc32(data), 16);
  header.writeUInt32LE(entry.packed_size ?? data.length, 20);
  header.writeUInt32LE(entry.size ?? data.length, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38);
  header.writeUInt32LE(entry.offset ?? at, 42);
  return header;
}

/** The end of a central directory in the ZIP64 form, for more than 65,535 entries. */
export function ending(count: number, directory_bytes: number, directory_at: number): Buffer {
  const record = Buffer.alloc(56 + 20 + 22);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(directory_bytes), 40);
  record.writeBigUInt64LE(BigInt(directory_at), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(directory_at + directory_bytes), 64);
  record.writeUInt32LE(1, 72);
  record.writeUInt32LE(0x06054b50, 76);
  record.writeUInt16LE(Math.min(count, 0xffff), 84);
  record.writeUInt16LE(Math.min(count, 0xffff), 86);
  record.writeUInt32LE(directory_bytes, 88);
  record.writeUInt32LE(directory_at, 92);
  return record;
}
