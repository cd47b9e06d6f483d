const COMPRESSED: readonly { begins: readonly number[]; name: string; decompress: (file: string) => string }[] = [
  { begins: [0x1f, 0x8b], name: 'gzip', decompress: (file) => `gunzip ${file}.gz` },
  { begins: [0x28, 0xb5, 0x2f, 0xfd], name: 'Zstandard', decompress: (file) => `zstd -d ${file}.zst` },
  { begins: [0x42, 0x5a, 0x68], name: 'bzip2', decompress: (file) => `bunzip2 ${file}.bz2` },
  { begins: [0xfd, 0x37, 0x7a, 0x58, 0x5a], name: 'xz', decompress: (file) => `unxz ${file}.xz` },
];

/**
 * Recognizes a compressed file by its first bytes.
 *
 * @param file the name of the file without its compression, for the command
 */
export function findCompression(head: Buffer, file: string): { name: string; command: string } | undefined {
  const found = COMPRESSED.find(({ begins }) => begins.every((byte, i) => head[i] === byte));
  return found === undefined ? undefined : { name: found.name, command: found.decompress(file) };
}

/** Whether the bytes begin a ZIP file. */
export function isZip(head: Buffer): boolean {
  return head[0] === 0x50 && head[1] === 0x4b;
}

/** @returns undefined if the text is neither an HTML page nor an XML document */
export function findMarkup(text: string): 'an HTML page' | 'an XML document' | undefined {
  if (!text.startsWith('<')) return undefined;
  return /^<(?:!doctype html|html)/i.test(text) ? 'an HTML page' : 'an XML document';
}
