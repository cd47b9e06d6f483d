import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { assertBodyShape, bodyShape } from '../../../server/http/contract/body-shape.ts';
import type { RawResponse } from '../client.ts';
import type { Contract, DeclaredResponse, FuzzOperation, Schema } from './contract.ts';
import { type FuzzFixtures, findForeignMark, SECRET } from './fixtures.ts';
import type { FuzzRequest } from './requests.ts';

export interface Fault {
  kind: string;
  detail: string;
}

/** 503 responses for parts that this deployment does not configure. */
const NOT_CONFIGURED = new Set(['scm_not_configured', 'federation_not_configured']);
const ERROR_FIELDS = ['error', 'error_class', 'request_id'];

export type Judge = ReturnType<typeof createJudge>;

/** Checks responses against the contract, with a validator that the service does not use. */
export function createJudge(contract: Contract, fixtures: FuzzFixtures) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema(contract.api as object, 'contract');
  const compiled = new Map<string, ValidateFunction>();
  const { ErrorClass } = contract.api.components.schemas as Record<string, { 'x-extensible-enum'?: string[] }>;
  const classes = new Set(ErrorClass?.['x-extensible-enum']);

  function findSchemaError(pointer: string, value: unknown): string | undefined {
    let validate = compiled.get(pointer);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: `contract#${pointer}` });
      compiled.set(pointer, validate);
    }
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  }

  function judge(request: FuzzRequest, answer: RawResponse): Fault[] {
    return [
      ...judgeStatus(request, answer),
      ...judgeErrorBody(classes, request, answer),
      ...judgeLeaks(fixtures, request, answer),
      ...(request.is_misdirected ? [] : judgeContract(request, answer)),
      ...(request.is_misdirected || answer.status >= 300 ? [] : judgeAcceptance(request)),
    ];
  }

  function judgeContract({ operation }: FuzzRequest, answer: RawResponse): Fault[] {
    const declared = operation.responses.get(answer.status);
    if (declared === undefined) return [{ kind: 'undocumented status', detail: `${operation.id} ${answer.status}` }];
    const missing = findHeaderFaults(declared, answer);
    const pointer = `/paths/${toPointerSegment(operation.template)}/${operation.method.toLowerCase()}/responses/${answer.status}`;
    return [
      ...missing,
      ...findBodyFaults(contract, declared, answer, (value) =>
        findSchemaError(buildSchemaPointer(contract, operation, answer.status, pointer), value),
      ),
    ];
  }

  /** An error if the service accepted a request that the contract forbids. */
  function judgeAcceptance({ operation, value, query }: FuzzRequest): Fault[] {
    const faults: Fault[] = [];
    if (value !== undefined && operation.body !== null) {
      const pointer = `/paths/${toPointerSegment(operation.template)}/${operation.method.toLowerCase()}/requestBody/content/application~1json/schema`;
      const wrong = findSchemaError(pointer, value);
      if (wrong !== undefined)
        faults.push({ kind: 'accepts what the contract forbids', detail: `${operation.id} body: ${wrong}` });
    }
    for (const [name, text] of query) {
      const wrong = findQueryFault(contract, operation, name, text);
      if (wrong !== undefined)
        faults.push({ kind: 'accepts what the contract forbids', detail: `${operation.id} query: ${wrong}` });
    }
    return faults;
  }

  return { judge };
}

function judgeStatus({ method }: FuzzRequest, { status, headers, text }: RawResponse): Fault[] {
  if (status === 500) return [{ kind: 'answer 500', detail: text.slice(0, 300) }];
  const error_class = method === 'HEAD' ? '' : String(parse(text)?.['error_class'] ?? '');
  if (status === 503 && !NOT_CONFIGURED.has(error_class)) return [{ kind: 'answer 503', detail: text.slice(0, 300) }];
  return headers['x-powered-by'] === undefined ? [] : [{ kind: 'header', detail: 'X-Powered-By is sent' }];
}

function judgeErrorBody(
  known_classes: ReadonlySet<string>,
  { method, operation, is_misdirected }: FuzzRequest,
  { status, headers, text }: RawResponse,
): Fault[] {
  if (status < 400 || method === 'HEAD') return [];
  const body = parse(text);
  const missing = ERROR_FIELDS.filter((name) => typeof body?.[name] !== 'string');
  if (missing.length > 0)
    return [{ kind: 'error without its fields', detail: `${missing.join(', ')}: ${text.slice(0, 300)}` }];
  // The response to a repeated Idempotency-Key is the first response, unchanged.
  if (body?.['request_id'] !== headers['x-request-id'] && headers['idempotency-replayed'] === undefined)
    return [{ kind: 'error with another request id', detail: text.slice(0, 300) }];
  if (!known_classes.has(String(body?.['error_class'])))
    return [{ kind: 'unknown error_class', detail: text.slice(0, 300) }];
  if (/\.[jt]s:\d+|node_modules|select .* from /i.test(text))
    return [{ kind: 'leak', detail: `internals: ${text.slice(0, 300)}` }];
  return operation.error_form === 'oauth' && !is_misdirected && body?.['error_description'] === undefined
    ? [{ kind: 'error without its fields', detail: `error_description: ${text.slice(0, 300)}` }]
    : [];
}

function judgeLeaks(
  { theirs }: FuzzFixtures,
  { caller, path, body }: FuzzRequest,
  { headers, text }: RawResponse,
): Fault[] {
  const response_text = `${text}${JSON.stringify(headers)}`;
  // A rejection may repeat parts of the request.
  const request_text = `${path}${body?.toString() ?? ''}`;
  if (response_text.includes(SECRET) && !request_text.includes(SECRET))
    return [{ kind: 'leak', detail: `a secret: ${excerpt(response_text, SECRET)}` }];
  if (caller.sees_foreign) return [];
  const mark = findForeignMark(response_text) ?? (response_text.includes(theirs) ? theirs : undefined);
  if (mark === undefined || request_text.toLowerCase().includes(mark)) return [];
  return [{ kind: 'leak', detail: `of another organization: ${excerpt(response_text, mark)}` }];
}

function findHeaderFaults({ headers: declared }: DeclaredResponse, { status, headers }: RawResponse): Fault[] {
  return declared.flatMap(({ name, header }) => {
    const sent = headers[name.toLowerCase()];
    if (sent === undefined)
      return header.required === true ? [{ kind: 'header', detail: `${status} without ${name}` }] : [];
    const { type, maximum, enum: known } = header.schema;
    const fits =
      (type !== 'integer' || (/^\d+$/.test(String(sent)) && Number(sent) <= (maximum ?? Infinity))) &&
      (known === undefined || known.includes(sent));
    return fits ? [] : [{ kind: 'header', detail: `${name}: ${String(sent)}` }];
  });
}

function findBodyFaults(
  contract: Contract,
  { content }: DeclaredResponse,
  { status, headers, text }: RawResponse,
  findError: (value: unknown) => string | undefined,
): Fault[] {
  const [type = '', media] = Object.entries(content)[0] ?? [];
  if (media === undefined)
    return text === '' ? [] : [{ kind: 'body', detail: `${status} declares none: ${text.slice(0, 200)}` }];
  const sent = String(headers['content-type']);
  if (!sent.startsWith(type)) return [{ kind: 'body', detail: `${status} has type ${sent} in place of ${type}` }];
  if (type !== 'application/json') return [];
  const value: unknown = parseAny(text);
  const wrong = findError(value) ?? findShapeError(contract, media.schema, value);
  return wrong === undefined ? [] : [{ kind: 'body', detail: `${status}: ${wrong}: ${text.slice(0, 500)}` }];
}

/** The members of a response that its schema does not declare. */
function findShapeError({ api }: Contract, schema: Schema, value: unknown): string | undefined {
  try {
    assertBodyShape(bodyShape(api, schema), value);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** A response that several operations share is one of the components. */
function buildSchemaPointer(
  { api }: Contract,
  { template, method }: FuzzOperation,
  status: number,
  pointer: string,
): string {
  const entry = api.paths[template]?.[method.toLowerCase() as 'get']?.responses[String(status)];
  const base = entry !== undefined && '$ref' in entry ? entry.$ref.slice(1) : pointer;
  return `${base}/content/application~1json/schema`;
}

function findQueryFault(
  { resolve }: Contract,
  { query_params }: FuzzOperation,
  name: string,
  text: string,
): string | undefined {
  const parameter = query_params.find((one) => one.name === name);
  if (parameter === undefined) return undefined;
  const schema = resolve(parameter.schema) as Schema & { minimum?: number; minLength?: number };
  const { type, enum: known, minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity } = schema;
  const number = Number(text);
  const fits =
    type === 'integer'
      ? /^\d+$/.test(text) && number >= minimum && number <= maximum
      : (known === undefined || known.map(String).includes(text)) &&
        [...text].length >= minLength &&
        [...text].length <= maxLength;
  return fits ? undefined : `${name}=${text.slice(0, 100)}`;
}

function excerpt(text: string, mark: string): string {
  const at = text.toLowerCase().indexOf(mark.toLowerCase());
  return text.slice(Math.max(0, at - 100), at + 100);
}

function parse(text: string): Record<string, unknown> | undefined {
  const value = parseAny(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function parseAny(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Encodes a segment of a JSON pointer for a URI fragment. */
function toPointerSegment(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));
}
