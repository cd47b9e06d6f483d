import type { CapturedText } from './capture.ts';
import type { ScanHandler, ValueKind } from './scan.ts';
import { parseString } from './text.ts';

/** Reads the members or items of one object or list. */
export interface ContainerReader {
  /** The name of the next member. */
  key?(name: string): void;
  /** The next value begins. @returns the reader of the values inside it, or whether its text is needed */
  child(kind: ValueKind): ContainerReader | 'capture' | 'skip';
  /** @param text null if the value is larger than the limit */
  captured?(text: CapturedText | null): void;
  close?(): void;
  /** The caller may reuse the chunk: copy captured texts that are needed later. */
  retain?(): void;
}

/** Passes the events of a scan to one reader per open container, at any depth. */
export class Walker implements ScanHandler {
  readonly deepest = Number.POSITIVE_INFINITY;
  /** The readers of the containers around the current value, outermost first. */
  private readonly open: ContainerReader[];
  private capturing = false;
  private oversized = false;

  /** @param document reads the root value as its only item */
  constructor(document: ContainerReader) {
    this.open = [document];
  }

  key(depth: number, text: CapturedText): void {
    this.open[depth]?.key?.(parseString(text));
  }

  begin(depth: number, kind: ValueKind): boolean | 'skip' {
    const reader = this.open[depth]?.child(kind) ?? 'skip';
    this.capturing = reader === 'capture';
    this.oversized = false;
    if (reader === 'skip' || reader === 'capture') return reader === 'capture' || 'skip';
    this.open.push(reader);
    return false;
  }

  /** Call it at the end of each chunk. */
  retain(): void {
    this.open.at(-1)?.retain?.();
  }

  tooLarge(): void {
    this.oversized = true;
  }

  end(depth: number, _at: number, text: CapturedText | null): void {
    if (this.open.length > depth + 1) {
      this.open.pop()?.close?.();
    } else if (this.capturing) {
      this.capturing = false;
      this.open[depth]?.captured?.(this.oversized ? null : text);
    }
  }
}
