import type { RawRequest } from '../client.ts';
import { createDice, type Dice } from '../dice.ts';
import { breakBody, type FuzzBody, mutateBody, toFormBody, toPlainBody } from './bodies.ts';
import type { Contract, FuzzOperation } from './contract.ts';
import type { FuzzCaller, FuzzFixtures } from './fixtures.ts';
import { buildParamKey } from './pools.ts';
import { buildValidBody } from './recipes.ts';
import { buildValidValue, HOSTILE_NUMBERS, HOSTILE_TEXTS } from './values.ts';

export interface FuzzRequest extends RawRequest {
  n: number;
  /** The intended operation; a changed method or path may keep the request from reaching it. */
  operation: FuzzOperation;
  /** Whether the method or the path was changed. */
  is_misdirected: boolean;
  caller: FuzzCaller;
  org: string;
  /** Values of the path parameters. */
  ids: Record<string, string>;
  query: [name: string, value: string][];
  /** The parsed body, if it is valid JSON. */
  value: unknown;
  /** Whether body or query were made invalid. */
  changed: boolean;
}

/** Alternative ways to delimit the body. */
const FRAMING = ['chunked', 'both'] as const;
const VALID_CALLER_SHARE = 0.6;
const REQUEST_FAULTS = ['body', 'query', 'header', 'path', 'ids', 'method', 'broken body', 'framing'] as const;

/** Builds request `n` of a seed: valid except for zero, one or a few parts. */
export function makeRequest(contract: Contract, fixtures: FuzzFixtures, seed: number, n: number): FuzzRequest {
  const dice = createDice(seed * 1_000_003 + n);
  const operation = pickOperation(contract, dice);
  const caller = dice.chance(VALID_CALLER_SHARE)
    ? pickValidCaller(fixtures, operation, dice)
    : dice.pick(fixtures.callers);
  const faults = new Set(
    dice.chance(0.3) ? [] : Array.from({ length: dice.pick([1, 1, 1, 2, 3]) }, () => dice.pick(REQUEST_FAULTS)),
  );
  const org = faults.has('ids')
    ? pickHostileOrg(fixtures, dice)
    : dice.chance(0.15)
      ? fixtures.fresh_org
      : fixtures.ours;
  const ids = pickIds(operation, fixtures, dice, { org, hostile: faults.has('ids') });
  const query = pickQuery(contract, operation, dice, faults.has('query'));
  const body = pickBody(contract, operation, fixtures, { dice, org, faults });
  const target = buildTarget(operation, ids, org, dice, faults);
  const framing =
    faults.has('framing') && body !== undefined && target.method !== 'HEAD' ? dice.pick(FRAMING) : undefined;
  const receiver = dice.chance(0.8)
    ? fixtures.signer.sign(operation.id, ids['config_id'] ?? '', body?.bytes ?? Buffer.alloc(0), dice)
    : {};
  const text = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  return {
    n,
    operation,
    is_misdirected: faults.has('method') || faults.has('path') || framing === 'both',
    caller,
    org,
    ids,
    query,
    method: target.method,
    path: `${target.path}${text === '' ? '' : `?${text}`}`,
    headers: {
      ...buildAddressHeader(dice),
      ...caller.headers,
      ...body?.headers,
      ...receiver,
      ...pickHeaders(operation, dice, faults.has('header')),
    },
    framing,
    body: body?.bytes,
    value: body?.value,
    changed: faults.size > 0,
  };
}

/** Prefers operations with more inputs. */
function pickOperation({ operations }: Contract, dice: Dice): FuzzOperation {
  const operation = dice.pick(operations);
  const is_plain = operation.body === null && operation.query_params.length === 0;
  return is_plain && dice.chance(0.7) ? dice.pick(operations.filter(({ body }) => body !== null)) : operation;
}

function pickValidCaller({ callers }: FuzzFixtures, { access }: FuzzOperation, dice: Dice): FuzzCaller {
  const kind =
    access.platform_admin === 'required' ? 'root' : dice.pick(['owner', 'owner', 'admin', 'member', 'key write']);
  return callers.find((one) => one.kind === kind) ?? dice.pick(callers);
}

/** Gives each request its own address, so that limits per address do not hide other errors. */
function buildAddressHeader(dice: Dice): Record<string, string> {
  return { 'x-forwarded-for': `10.${dice.below(256)}.${dice.below(256)}.${dice.below(256)}` };
}

function pickHostileOrg({ ours, theirs }: FuzzFixtures, dice: Dice): string {
  return dice.pick([
    ours,
    ours,
    theirs,
    theirs,
    ours.toUpperCase(),
    'x',
    `${ours}0`,
    '00000000-0000-0000-0000-000000000000',
  ]);
}

function pickIds(
  { path_params, template }: FuzzOperation,
  { pools, ours, theirs }: FuzzFixtures,
  dice: Dice,
  { org, hostile }: { org: string; hostile: boolean },
): Record<string, string> {
  return Object.fromEntries(
    path_params.map((name) => {
      const param = buildParamKey(template, name);
      const own = pools.pick(dice, param, template.startsWith('/admin/') ? '' : org);
      const valid = template.startsWith('/admin/orgs') ? ours : (own ?? dice.hex(8));
      if (!hostile) return [name, valid];
      const deleted = pools.pickDeleted(dice, param, org) ?? valid;
      const foreign = pools.pick(dice, param, theirs) ?? valid;
      return [
        name,
        dice.pick([valid, foreign, foreign, deleted, valid.toUpperCase(), dice.hex(32), dice.pick(HOSTILE_TEXTS)]),
      ];
    }),
  );
}

function pickQuery(contract: Contract, { query_params, is_paged }: FuzzOperation, dice: Dice, hostile: boolean) {
  const query: [string, string][] = [];
  for (const { name, schema, required } of query_params) {
    if (required === true || dice.chance(0.3)) {
      query.push([name, String(buildValidValue(dice, contract.resolve, schema))]);
    }
  }
  if (!hostile) return query;
  const names = [...query_params.map(({ name }) => name), 'x', '__proto__', 'limit', 'offset'];
  const values = [...HOSTILE_TEXTS, ...HOSTILE_NUMBERS.map(String), '0x10', '1e2', '+5', '٣', '1'.repeat(400)];
  for (let count = 1 + dice.below(3); count > 0; count -= 1) query.push([dice.pick(names), dice.pick(values)]);
  if (is_paged && dice.chance(0.3)) query.push(['offset', '2147483647']);
  return query;
}

interface BodyChoice {
  dice: Dice;
  org: string;
  faults: ReadonlySet<string>;
}

function pickBody(
  contract: Contract,
  operation: FuzzOperation,
  fixtures: FuzzFixtures,
  { dice, org, faults }: BodyChoice,
): FuzzBody | undefined {
  const { body } = operation;
  if (body === null) return faults.has('broken body') ? breakBody(dice, {}) : undefined;
  const valid = buildValidBody(operation, fixtures, dice, org);
  if (body.takes_form && dice.chance(0.3)) return toFormBody(dice, valid);
  if (faults.has('broken body')) return breakBody(dice, valid);
  if (!faults.has('body')) return toPlainBody(valid);
  if (dice.chance(0.2)) return toPlainBody(buildValidValue(dice, contract.resolve, body.schema));
  return mutateBody(dice, contract, body.schema, valid);
}

const HEADER_VALUES = [
  '',
  ' ',
  '*',
  'x',
  'W/"x"',
  '"a", "b"',
  'é',
  'x'.repeat(300),
  'x'.repeat(5_000),
  '\u00ff',
  '0',
  'a,b',
];

function pickHeaders({ header_params }: FuzzOperation, dice: Dice, hostile: boolean): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name } of header_params) {
    if (dice.chance(0.3)) headers[name.toLowerCase()] = name === 'Idempotency-Key' ? `key-${dice.below(500)}` : '*';
  }
  if (!hostile) return headers;
  const names = [...header_params.map(({ name }) => name.toLowerCase()), ...OTHER_HEADERS];
  for (let count = 1 + dice.below(3); count > 0; count -= 1) headers[dice.pick(names)] = dice.pick(HEADER_VALUES);
  return headers;
}

const OTHER_HEADERS = [
  'x-request-id',
  'x-org-id',
  'x-http-method-override',
  'if-match',
  'if-none-match',
  'accept',
  'accept-encoding',
  'origin',
  'range',
  'x-forwarded-for',
  'x-forwarded-host',
  'cookie',
  'x-github-event',
  'x-github-delivery',
  'x-hub-signature-256',
  'x-gitlab-token',
  'x-gitlab-event',
  'webhook-id',
];

/** The method and the raw path; both may be changed to match no operation. */
function buildTarget(
  { method, template }: FuzzOperation,
  ids: Record<string, string>,
  org: string,
  dice: Dice,
  faults: ReadonlySet<string>,
): { method: string; path: string } {
  const path = `/api/v2${template.replaceAll(/\{(\w+)\}/g, (_, name) => encode(ids[name] ?? org))}`;
  return {
    method: faults.has('method')
      ? dice.pick(['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PUT', 'PATCH', 'DELETE', 'POST', 'GET'])
      : method,
    path: faults.has('path') ? dice.pick(PATHS)(path) : path,
  };
}

const PATHS: ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => path.replace('/api/v2/', '/api/v2//'),
  (path) => path.replace('/api/v2', '/api/V2'),
  (path) => path.replace('/api/v2/', '/api/v2/./'),
  (path) => path.replace('/api/v2/', '/api/v2/x/../'),
  (path) => path.replace('/api/v2/', '/api/v2/%2e%2e/v2/'),
  (path) => path.toUpperCase(),
  (path) => `${path}%00`,
  (path) => `${path};a=b`,
  (path) => `${path}/${'a/'.repeat(500)}`,
  (path) => `${path}/${'x'.repeat(5_000)}`,
  (path) => `http://example.com${path}`,
  (path) => `${path}?${'a=b&'.repeat(1_000)}`,
  (path) => `${path}?a[b][c]=1&__proto__[x]=1&limit[]=1`,
];

function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}
