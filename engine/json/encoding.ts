/**
 * Decodes the bytes of a file to UTF-8 without a byte order mark. UTF-16, which PowerShell's `>` writes, is detected by
 * its mark, or by a zero byte next to its first character, which is impossible in UTF-8 JSON.
 *
 * @param refuseUtf16 creates the error that `write` and `end` throw for UTF-16; if absent, UTF-16 is decoded
 */
export function createDecoder(refuseUtf16?: () => Error): { write(chunk: Uint8Array): Buffer; end(): Buffer } {
  let head: Buffer | null = EMPTY;
  let utf16: InstanceType<typeof TextDecoder> | null = null;

  function write(chunk: Uint8Array): Buffer {
    let bytes = asBuffer(chunk);
    if (head !== null) {
      bytes = head.length === 0 ? bytes : Buffer.concat([head, bytes]);
      if (bytes.length < LONGEST_MARK) {
        head = Buffer.from(bytes);
        return EMPTY;
      }
      return begin(bytes);
    }
    return utf16 === null ? bytes : Buffer.from(utf16.decode(bytes, { stream: true }));
  }

  function begin(bytes: Buffer): Buffer {
    head = null;
    const { encoding, mark } = sniff(bytes);
    if (encoding === 'utf-8') return bytes.subarray(mark);
    if (refuseUtf16 !== undefined) throw refuseUtf16();
    utf16 = new TextDecoder(encoding);
    return Buffer.from(utf16.decode(bytes.subarray(mark), { stream: true }));
  }

  function end(): Buffer {
    const rest = head === null || head.length === 0 ? EMPTY : begin(head);
    return utf16 === null ? rest : Buffer.concat([rest, Buffer.from(utf16.decode())]);
  }

  return { write, end };
}

const EMPTY = Buffer.alloc(0);
const LONGEST_MARK = 3;

/** Returns a Buffer over the same memory, because its methods are faster. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function sniff(bytes: Buffer): { encoding: 'utf-8' | 'utf-16le' | 'utf-16be'; mark: number } {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', mark: 3 };
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', mark: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', mark: 2 };
  if (first !== 0 && second === 0) return { encoding: 'utf-16le', mark: 0 };
  if (first === 0 && second !== undefined && second !== 0) return { encoding: 'utf-16be', mark: 0 };
  return { encoding: 'utf-8', mark: 0 };
}
