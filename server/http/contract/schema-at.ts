import { isObject } from '../../lib/is-object.ts';
import { resolveSchema } from './body-shape.ts';
import type { OpenapiDocument, Parameter, Schema } from './openapi-types.ts';

/** The content of a request: its parameters, and the schema of its body. */
export interface RequestInput {
  parameters: Parameter[];
  body_schema: Schema | undefined;
}

/**
 * The schemas of a location in a request; several if the body can have several forms there, none if the contract has
 * nothing there.
 *
 * @param pointer JSON pointer: `/body/ci/pr_number`, `/query/limit`, `/headers/if-match`
 * @param body of the request; a member of it can select one of several forms
 */
export function schemasAt(api: OpenapiDocument, input: RequestInput, pointer: string, body: unknown): Schema[] {
  const [place = '', ...names] = pointer.split('/').slice(1);
  if (place === 'body') return input.body_schema === undefined ? [] : below(api, input.body_schema, names, body);
  const name = names[0]?.toLowerCase();
  const found = input.parameters.find((parameter) => parameter.name.toLowerCase() === name);
  return found === undefined ? [] : [resolveSchema(api, found.schema)];
}

function below(api: OpenapiDocument, schema: Schema, [name, ...rest]: string[], value: unknown): Schema[] {
  const resolved = resolveSchema(api, schema);
  const members = isObject(value) ? value : {};
  const parts = [
    resolved,
    ...[...(resolved.allOf ?? []), ...listForms(resolved, members)].map((one) => resolveSchema(api, one)),
  ];
  if (name === undefined) return parts;
  const next = parts.flatMap(({ properties, items }) => properties?.[name] ?? items ?? []);
  return next.flatMap((one) => below(api, one, rest, members[name]));
}

/** The form that a member of the value selects, or all if none is selected. */
function listForms({ oneOf = [], discriminator }: Schema, members: Record<string, unknown>): Schema[] {
  const selected = discriminator?.mapping[String(members[discriminator.propertyName])];
  return selected === undefined ? oneOf : [{ $ref: selected }];
}
