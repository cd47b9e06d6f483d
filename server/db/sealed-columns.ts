import type { Sealer } from '../lib/seal.ts';
import type { SealedColumn } from './reseal.ts';

/** Identifies a row of a table: its organization, its key, and what else binds the record. */
export type SealedRow = Readonly<Record<string, string>>;

/** Encrypts what is stored in columns. Each record is bound to its column and row: copied elsewhere it does not open. */
export interface ColumnSealer {
  /** @throws Error for a column that no domain declares: `dpa keys rotate` would leave it behind */
  seal(column: SealedColumn, row: SealedRow, plain: Uint8Array): Buffer;
  /** @throws SealError; Error for a column that no domain declares */
  open(column: SealedColumn, row: SealedRow, sealed: Uint8Array): Buffer;
}

/** @param declared the columns that `dpa keys rotate` seals anew */
export function createColumnSealer(sealer: Sealer, declared: readonly SealedColumn[]): ColumnSealer {
  const known = new Set(declared);

  function bindingFor(column: SealedColumn, row: SealedRow): string {
    if (known.has(column)) return column.aad(row);
    throw new Error(`no domain declares the encrypted column ${column.table}.${column.column}`);
  }

  return {
    seal: (column, row, plain) => sealer.seal(plain, bindingFor(column, row)),
    open: (column, row, sealed) => sealer.open(sealed, bindingFor(column, row)),
  };
}
