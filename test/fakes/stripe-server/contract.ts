/**
 * The objects of Stripe's API, as the types of the pinned package `stripe` declare them; Stripe generates those from its
 * OpenAPI contract. `npm run stripe-objects` compiles the schemas after an update of the package.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

export type StripeObject = Record<string, unknown>;

const CONTRACT = JSON.parse(
  readFileSync(new URL('../../fixtures/stripe/objects.schema.json', import.meta.url), 'utf8'),
) as { $comment: string; properties: Record<string, Schema>; $defs: Record<string, Schema> };
/** The package and the version of Stripe's OpenAPI contract from which the schemas were compiled. */
export const CONTRACT_SOURCE = JSON.parse(CONTRACT.$comment) as { package: string; openapi: string };

const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(CONTRACT, 'stripe');
const validators = new Map<string, ValidateFunction>();

/** What is wrong with an object; empty if Stripe could send it. @param name a key of `properties` in the schemas */
export function listViolations(name: string, value: unknown): string[] {
  const validate = validators.get(name) ?? ajv.compile({ $ref: `stripe#/properties/${name}` });
  validators.set(name, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${name}${instancePath} ${message} ${JSON.stringify(params)}`;
  });
}

/** An object with exactly the fields that Stripe always sends, mostly empty, and the given ones. */
export function makeObject<T extends StripeObject>(name: string, fields: T): StripeObject & T {
  const schema = CONTRACT.properties[name];
  if (schema === undefined) throw new Error(`no schema of ${name}`);
  return { ...(makeExample(schema) as StripeObject), ...fields };
}

function makeExample(schema: Schema): unknown {
  const { $ref, type, anyOf, properties = {}, required = [] } = schema;
  if ($ref !== undefined) return makeExample(CONTRACT.$defs[$ref.split('/').at(-1) ?? ''] ?? {});
  if (anyOf !== undefined) return makeExample(anyOf.find((one) => one.type === 'null') ?? anyOf[0] ?? {});
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (type === 'object') return Object.fromEntries(required.map((one) => [one, makeExample(properties[one] ?? {})]));
  if (type === 'array') return [];
  if (type === 'string') return '';
  return type === 'number' ? 0 : null;
}

/** @throws Error if Stripe would not send such an object */
export function assertContract(name: string, value: unknown): void {
  const violations = listViolations(name, value);
  if (violations.length > 0) throw new Error(`not what Stripe sends: ${violations.join('; ')}`);
}
