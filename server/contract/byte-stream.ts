import type { Readable } from 'node:stream';

/** A body of bytes that is sent in chunks, because it can be larger than memory. */
export class ByteStream {
  readonly stream: Readable;
  readonly content_type: string;
  /** Called after the last byte was sent; not if the caller disconnects before. */
  readonly onSent: () => Promise<void>;

  constructor({ stream, content_type, onSent }: Pick<ByteStream, 'stream' | 'content_type' | 'onSent'>) {
    this.stream = stream;
    this.content_type = content_type;
    this.onSent = onSent;
  }
}
