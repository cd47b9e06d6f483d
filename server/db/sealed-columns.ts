import type { Sealer } from '../lib/seal.ts';
import type { SealedColumn } from './reseal.ts';

/** Identifies a row of a table: its organization, its key, and anything else that the record is bound to. */
export type SealedRow = Readonly<Record<string, string>>;

/** Encrypts column values. Each record is bound to its column and row: copied elsewhere, it cannot be decrypted. */
export interface ColumnSealer {
  /** @throws Error for an undeclared column, which `dpa keys rotate` would skip */
  seal(column: SealedColumn, row: SealedRow, plain: Uint8Array): Buffer;
  /** @throws SealError; Error for an undeclared column */
  open(column: SealedColumn, row: SealedRow, sealed: Uint8Array): Buffer;
}

/** @param declared the columns that `dpa keys rotate` encrypts again */
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
