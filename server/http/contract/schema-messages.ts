import type { Schema } from './openapi-types.ts';

const TYPES: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

const FORMATS: Record<string, string> = {
  'date-time': 'must be a date and time as in RFC 3339, such as 2026-01-02T03:04:05Z',
  email: 'must be an email address',
  uri: 'must be an absolute address, such as https://example.com',
  uuid: 'must be a UUID',
};

/** The message for a violated JSON Schema keyword; undefined if the schema does not have it. */
const MESSAGES: Record<string, (schema: Schema) => string | undefined> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
  uniqueItems: () => 'must not contain the same item twice',
  type: ({ type }) => type && describeTypes([type].flat()),
  enum: ({ enum: values }) => values && describeChoices(values.map(String)),
  pattern: (schema) => schema['x-pattern-hint'],
  format: ({ format }) => FORMATS[format ?? ''],
  minLength: ({ minLength }) => atLeast(minLength, 'character'),
  maxLength: ({ maxLength }) => atMost(maxLength, 'character'),
  minItems: ({ minItems }) => atLeast(minItems, 'item'),
  maxItems: ({ maxItems }) => atMost(maxItems, 'item'),
  minProperties: ({ minProperties }) => atLeast(minProperties, 'field'),
  minimum: ({ minimum }) => (minimum === undefined ? undefined : `must be at least ${minimum}`),
  maximum: ({ maximum }) => (maximum === undefined ? undefined : `must be at most ${maximum}`),
  discriminator: ({ discriminator }) => discriminator && describeChoices(Object.keys(discriminator.mapping)),
};

/**
 * The message for a fault that the validator found. The validator's own messages, which show patterns, are never used.
 *
 * @param keyword of JSON Schema, such as `maxLength`
 * @param schemas of the location of the fault
 */
export function describeKeyword(keyword: string, schemas: readonly Schema[]): string {
  const describe = MESSAGES[keyword];
  const message = describe && [...schemas, {}].map(describe).find((text) => text !== undefined);
  return message ?? 'does not match any of the allowed forms';
}

export function describeTypes(types: readonly string[]): string {
  return `must be ${types.map((type) => TYPES[type] ?? type).join(' or ')}`;
}

export function describeChoices(values: readonly string[]): string {
  return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;
}

function atLeast(least: number | undefined, unit: string): string | undefined {
  if (least === undefined) return undefined;
  return least === 1 && unit === 'character' ? 'must not be empty' : `must have at least ${counted(least, unit)}`;
}

function atMost(most: number | undefined, unit: string): string | undefined {
  return most === undefined ? undefined : `must have at most ${counted(most, unit)}`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
