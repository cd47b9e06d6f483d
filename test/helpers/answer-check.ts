import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { assertBodyShape, type BodyShape, bodyShape } from '../../server/http/contract/body-shape.ts';
import type {
  Response as DeclaredResponse,
  OperationObject,
  Schema,
} from '../../server/http/contract/openapi-types.ts';
import type { Operation } from '../../server/http/contract/operations.ts';
import type { AnswerCheck, ContractDocument } from '../../server/http/index.ts';
import { hasStatus, isErrorClass } from '../../server/lib/error-classes.ts';

const CONTRACT = 'https://contract/';

interface ErrorBody {
  error_class: string;
  details?: { path: string }[];
}

interface Body {
  validate: ValidateFunction;
  shape: BodyShape;
}

/**
 * Validates responses against the contract: status and required headers are declared, the body matches the schema and
 * has no other fields (leaked columns); an error has a listed class for its status, and refers to locations of the
 * request. Schemas are compiled on first use.
 */
export function createAnswerCheck({ api }: ContractDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: CONTRACT, components: api.components, paths: api.paths });
  const bodies = new Map<Schema, Body>();

  function compileBody(schema: Schema): Body {
    const known = bodies.get(schema);
    if (known !== undefined) return known;
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${CONTRACT}#/`));
    const body = { validate: ajv.compile(absolute), shape: bodyShape(api, schema) };
    bodies.set(schema, body);
    return body;
  }

  function check(operation: Operation, { status, headers, body }: Parameters<AnswerCheck>[1], sent: string[]): void {
    const declared = findDeclaredResponse(operation, status);
    for (const [name, header] of Object.entries(declared.headers ?? {})) {
      const required = '$ref' in header ? api.components.headers[name]?.required : header.required;
      const names = [...Object.keys(headers), ...sent].map((each) => each.toLowerCase());
      if (required === true && !names.includes(name.toLowerCase())) throw new Error(`header ${name} is missing`);
    }
    const json = declared.content?.['application/json'];
    if (json === undefined) return;
    const { validate, shape } = compileBody(json.schema);
    const value: unknown = JSON.parse(body ?? 'null');
    if (!validate(value)) throw new Error(ajv.errorsText(validate.errors));
    assertBodyShape(shape, value);
    if (status >= 400) assertError(status, value as ErrorBody);
  }

  function findDeclaredResponse(operation: Operation, status: number): DeclaredResponse {
    const method = operation.method.toLowerCase() as 'get';
    const object = api.paths[operation.template]?.[method] as OperationObject;
    const entry = object.responses[String(status)];
    if (entry === undefined) throw new Error('the status is not declared');
    return '$ref' in entry ? api.components.responses[entry.$ref.replace('#/components/responses/', '')]! : entry;
  }

  return ({ res, operation }, answer) => {
    try {
      check(operation, answer, res.getHeaderNames());
      return undefined;
    } catch (cause) {
      return new Error(`${operation.id} ${answer.status}: the answer breaks the contract`, { cause });
    }
  };
}

function assertError(status: number, { error_class, details = [] }: ErrorBody): void {
  if (!isErrorClass(error_class) || !hasStatus(error_class, status)) {
    throw new Error(`server/lib/error-classes.ts: ${error_class} is not listed with status ${status}`);
  }
  const misplaced = details.find(({ path }) => !/^\/(body|query|params|headers)(\/|$)/.test(path));
  if (misplaced !== undefined)
    throw new Error(`${misplaced.path} is no pointer below /body, /query, /params or /headers`);
}
