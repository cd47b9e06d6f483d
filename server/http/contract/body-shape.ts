import { type ErrorDetail, InvalidInput } from '../../lib/errors.ts';
import { isObject } from '../../lib/is-object.ts';
import type { OpenapiDocument, Schema } from './openapi-types.ts';
import { describeChoices, describeTypes } from './schema-messages.ts';
import { toTimestamp } from './timestamp.ts';

/** The names and limits of a schema, without its content rules. */
export interface BodyShape {
  /** Allowed member names of an object; undefined if any name is allowed. */
  members: Map<string, BodyShape> | undefined;
  /** One of several forms, selected by the value of the member `by`; `members` contains those of all forms. */
  variants: { by: string; shapes: Map<unknown, BodyShape> } | undefined;
  items: BodyShape | undefined;
  max_items: number | undefined;
  verbatim: boolean;
  is_date_time: boolean;
}

const ANYTHING: BodyShape = {
  members: undefined,
  variants: undefined,
  items: undefined,
  max_items: undefined,
  verbatim: false,
  is_date_time: false,
};
const MAX_DETAILS = 20;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Compiles a schema with `$ref`, `allOf`, and `oneOf` with a discriminator. If it lists members, no others are allowed
 * unless it says so.
 */
export function bodyShape(api: OpenapiDocument, schema: Schema): BodyShape {
  if (schema.$ref !== undefined) return bodyShape(api, resolveSchema(api, schema));
  if (schema['x-checked-as'] !== undefined) return ANYTHING;
  if (schema.discriminator !== undefined) return variantShape(api, schema.discriminator);
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolveSchema(api, part))];
  const properties = parts.flatMap((part) => Object.entries(part.properties ?? {}));
  const open = properties.length === 0 || parts.some((part) => part.additionalProperties);
  return {
    members: open ? undefined : new Map(properties.map(([name, member]) => [name, bodyShape(api, member)])),
    variants: undefined,
    items: schema.items && bodyShape(api, schema.items),
    max_items: schema.maxItems,
    verbatim: schema['x-verbatim'] === true,
    is_date_time: schema.format === 'date-time',
  };
}

function variantShape(
  api: OpenapiDocument,
  { propertyName, mapping }: NonNullable<Schema['discriminator']>,
): BodyShape {
  const shapes = new Map(Object.entries(mapping).map(([value, $ref]) => [value, bodyShape(api, { $ref })]));
  // A body that selects no form is invalid for that reason only; the forms can differ in the content of a member.
  const names = [...shapes.values()].flatMap((shape) => [...(shape.members?.keys() ?? [])]);
  const members = new Map(names.map((name) => [name, ANYTHING]));
  return { ...ANYTHING, members, variants: { by: propertyName, shapes } };
}

/** The target of `schema` if it is only a reference. */
export function resolveSchema(api: OpenapiDocument, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolveSchema(api, component(api, schema.$ref));
}

function component(api: OpenapiDocument, ref: string): Schema {
  const schema = api.components.schemas[ref.replace('#/components/schemas/', '')];
  if (schema === undefined) throw new Error(`openapi.yaml: ${ref} is missing`);
  return schema;
}

/**
 * Checks that a schema cannot express, or that must run first: no unknown member (the first in document order is
 * named), no list so long that validating its items is expensive, no text that PostgreSQL rejects, no number that
 * JSON.parse rounded.
 *
 * @throws InvalidInput `unknown_field` or `invalid_request`
 */
export function assertBodyShape(shape: BodyShape, body: unknown): void {
  const problems: ErrorDetail[] = [];
  walk(shape, body, '/body', problems);
  const [first] = problems;
  if (first === undefined) return;
  const details = problems.slice(0, MAX_DETAILS);
  const place = `${first.path.slice('/body/'.length)} `.trimStart();
  throw new InvalidInput(`invalid request body: ${place}${first.message}`, undefined, {
    details,
  });
}

function walk(shape: BodyShape, value: unknown, path: string, problems: ErrorDetail[]): void {
  if (shape.variants !== undefined && !isObject(value)) {
    problems.push({ path, message: describeTypes(['object']), code: 'type' });
    return;
  }
  if (typeof value === 'string') {
    if (!shape.verbatim) checkText(value, path, problems);
    if (shape.is_date_time && toTimestamp(value) === undefined) {
      problems.push({ path, message: 'must be a date and time that exists', code: 'format' });
    }
  } else if (typeof value === 'number') {
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      problems.push({ path, message: 'is too large a number', code: 'number' });
    }
  } else if (Array.isArray(value)) {
    walkList(shape, value, path, problems);
  } else if (typeof value === 'object' && value !== null) {
    const { members } = selectVariant(shape, value, path, problems);
    for (const [name, member] of Object.entries(value)) {
      const expected = members === undefined ? ANYTHING : members.get(name);
      if (expected === undefined) throw unknownField(path, name);
      walk(expected, member, `${path}/${pointer(name)}`, problems);
    }
  }
}

/** The form that this value selects. */
function selectVariant(shape: BodyShape, value: object, path: string, problems: ErrorDetail[]): BodyShape {
  if (shape.variants === undefined) return shape;
  const { by, shapes } = shape.variants;
  const found = shapes.get((value as Record<string, unknown>)[by]);
  if (found !== undefined) return found;
  const message = describeChoices([...shapes.keys()].map(String));
  problems.push({ path: `${path}/${pointer(by)}`, message, code: 'enum' });
  return shape;
}

function walkList(shape: BodyShape, list: unknown[], path: string, problems: ErrorDetail[]): void {
  if (shape.max_items !== undefined && list.length > shape.max_items) {
    problems.push({ path, message: `must have at most ${shape.max_items} items`, code: 'maxItems' });
    return;
  }
  const items = shape.items ?? ANYTHING;
  for (const [index, item] of list.entries()) walk(items, item, `${path}/${index}`, problems);
}

function checkText(text: string, path: string, problems: ErrorDetail[]): void {
  if (text.includes('\0')) problems.push({ path, message: 'must not contain the character U+0000', code: 'text' });
  else if (LONE_SURROGATE.test(text))
    problems.push({ path, message: 'must not contain an unpaired surrogate', code: 'text' });
}

function unknownField(path: string, name: string): InvalidInput {
  // Encoding and decoding replaces unpaired surrogates with the replacement character. NUL is removed because readers
  // of the response may not accept it.
  const shown = Buffer.from(name.slice(0, 100)).toString().replaceAll('\0', '\ufffd');
  return new InvalidInput(`invalid request body: json: unknown field ${JSON.stringify(shown)}`, 'unknown_field', {
    details: [{ path: `${path}/${pointer(shown)}`, message: 'unknown field', code: 'unknown_field' }],
  });
}

/** @see RFC 6901, section 3 */
function pointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
