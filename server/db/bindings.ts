import type { Knex } from 'knex';

/** Bindings of a raw statement. The driver accepts arrays that contain null or bytes; Knex does not declare it. */
export function toBindings(values: readonly unknown[]): Knex.RawBinding[] {
  return values as Knex.RawBinding[];
}
