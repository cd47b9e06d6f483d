/** A value as JSON has it. */
type Sent<Value> = Value extends Date ? string : Value;

/**
 * The fields of a row that a response contains, in this order; times become RFC 3339 texts in UTC.
 *
 * Responses name their fields, so that a new column never leaves the service by accident.
 */
export function pickFields<Row extends object, Field extends keyof Row>(
  row: Row,
  fields: readonly Field[],
): { [F in Field]: Sent<Row[F]> } {
  const picked = fields.map((field) => {
    const value = row[field];
    return [field, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(picked);
}
