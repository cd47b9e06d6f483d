import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from 'archiver';
import { hashed } from './hashed.ts';
import { compareNames, manifestLine } from './manifest.ts';

const FOLDER_PREFIX = 'dpa-pack-';
/** Folders older than this were left by a process that was killed. */
const ABANDONED_MS = 86_400_000;
const COMPRESSION_LEVEL = 6;
const BUFFER_BYTES = 262_144;
const MANIFEST = 'MANIFEST.txt';

/**
 * Opens a folder for the files of one pack. Files are written to disk and then into the ZIP, because the manifest comes
 * before the files that it lists; memory stays constant.
 *
 * @param parent an existing folder; by default that of the system for temporary files
 */
export async function openPackDraft(parent = tmpdir()) {
  await deleteAbandoned(parent);
  const folder = await mkdtemp(join(parent, FOLDER_PREFIX));
  const files = new Map<string, string>();
  const buffer = new Uint8Array(BUFFER_BYTES);

  async function openEntry(name: string) {
    if (files.has(name)) throw new Error(`the pack already has a file ${name}`);
    files.set(name, '');
    const file = await open(join(folder, name), 'wx', 0o600);
    const hash = createHash('sha256');
    const append = async (bytes: Uint8Array) => {
      hash.update(bytes);
      await file.write(bytes);
    };
    return {
      async write(content: string | Uint8Array): Promise<void> {
        if (typeof content !== 'string') return append(content);
        for (const bytes of encode(content, buffer)) await append(bytes);
      },
      async end(): Promise<void> {
        await file.close();
        files.set(name, hash.digest('hex'));
      },
    };
  }

  async function finish(modified_at: Date): Promise<{ path: string; bytes: number; sha256: string }> {
    const manifest = await openEntry(MANIFEST);
    const listed = [...files].filter(([name]) => name !== MANIFEST).sort(compareNames);
    await manifest.write(listed.map(([name, sha256]) => manifestLine(name, sha256)).join(''));
    await manifest.end();
    return writeZip(folder, [...files.keys()].sort(), modified_at);
  }

  return { open: openEntry, finish, discard: () => rm(folder, { recursive: true, force: true }) };
}

/** The text as UTF-8, in parts that reuse one buffer: a new one for each batch of rows would be freed too late. */
function* encode(text: string, buffer: Uint8Array): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let rest = text; rest !== ''; ) {
    const { read, written } = encoder.encodeInto(rest, buffer);
    yield buffer.subarray(0, written);
    rest = rest.slice(read);
  }
}

async function writeZip(folder: string, names: readonly string[], date: Date) {
  const archive = new ZipArchive({ zlib: { level: COMPRESSION_LEVEL } });
  for (const name of names) archive.append(createReadStream(join(folder, name)), { name, date, mode: 0o644 });
  const path = join(folder, '.zip');
  const hash = hashed();
  const written = pipeline(archive, hash.through, createWriteStream(path, { mode: 0o600 }));
  await Promise.all([archive.finalize(), written]);
  return { path, ...hash.result() };
}

async function deleteAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const path = join(parent, name);
    const found = await stat(path).catch(() => undefined); // deleted meanwhile
    if (found !== undefined && found.mtimeMs < Date.now() - ABANDONED_MS)
      await rm(path, { recursive: true, force: true });
  }
}
