import { resolveSchema } from './body-shape.ts';
import type { OpenapiDocument, Parameter, Schema } from './openapi-types.ts';

/** The content of a request: its parameters, and the schema of its body. */
export interface RequestInput {
  parameters: Parameter[];
  body_schema: Schema | undefined;
}

/**
 * The schemas of a location in a request; several if the body has several forms, none if the contract has nothing
 * there.
 *
 * @param pointer JSON pointer: `/body/ci/pr_number`, `/query/limit`, `/headers/if-match`
 */
export function schemasAt(api: OpenapiDocument, input: RequestInput, pointer: string): Schema[] {
  const [place = '', ...names] = pointer.split('/').slice(1);
  if (place === 'body') return input.body_schema === undefined ? [] : below(api, input.body_schema, names);
  const name = names[0]?.toLowerCase();
  const found = input.parameters.find((parameter) => parameter.name.toLowerCase() === name);
  return found === undefined ? [] : [resolveSchema(api, found.schema)];
}

function below(api: OpenapiDocument, schema: Schema, [name, ...rest]: string[]): Schema[] {
  const resolved = resolveSchema(api, schema);
  const parts = [
    resolved,
    ...[...(resolved.allOf ?? []), ...(resolved.oneOf ?? [])].map((one) => resolveSchema(api, one)),
  ];
  if (name === undefined) return parts;
  const next = parts.flatMap(({ properties, items }) => properties?.[name] ?? items ?? []);
  return next.flatMap((one) => below(api, one, rest));
}
