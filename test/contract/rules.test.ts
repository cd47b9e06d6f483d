/** Rules for the whole `openapi.yaml`, beyond those of the linter. */
import { describe, expect, test } from '@jest/globals';
import type {
  DocumentOperationId,
  PlatformRecordOperationId,
  PublicOperationId,
} from '../../server/contract/operation.ts';
import { bodyShape } from '../../server/http/contract/body-shape.ts';
import type {
  Access,
  Header,
  OperationObject,
  Parameter,
  Response,
  Schema,
} from '../../server/http/contract/openapi-types.ts';
import { compileOperations } from '../../server/http/contract/operations.ts';
import { ROLES } from '../../server/lib/principal.ts';
import { document } from '../http/harness.ts';

const { api } = document;

const VERB_AND_NOUN =
  /^(get|list|create|analyze|add|delete|set|override|exchange|update|change|remove|revoke|accept|verify|test|disable|enable|replace|preview|suppress|put|validate|generate|rotate|receive|redeliver|complete|confirm|refresh|rescan|upload|enrich|cancel|compute|run|download)[A-Z]\w+$/;

/** Allowed values of each member of x-access. */
const ACCESS: { [Name in keyof Required<Access>]: (value: unknown) => boolean } = {
  credential: (value) => ['oidc', 'any', 'none'].includes(value as string),
  platform_admin: (value) => value === 'required' || value === 'also',
  role: (value) => ROLES.some((role) => role === value),
  scope: (value) => scopes.includes(value),
  key: (value) => value === 'exempt',
  self: (value) => value === true,
  rate_limit: (value) =>
    [
      'analyze',
      'audit_verify',
      'chat_callback_ip',
      'checkpoint_ip',
      'federation_ip',
      'llm_validate',
      'scans_bulk',
      'scm_callback_ip',
      'webhook_test',
    ].includes(value as string),
  audit: (value) => Array.isArray(value) && value.every((action) => /^[a-z_]+\.[a-z_]+$/.test(action)),
};

const ID_FORMS = ['uuid', 'fingerprint', 'trace', 'handle'];
/** Schemas of error bodies. */
const ERRORS = [
  'Error',
  'PlanLimitError',
  'PlatformModelError',
  'EnrichmentError',
  'AnalysisLaterError',
  'ChainHeadError',
  'TraceExpiredError',
  'OauthError',
];

const scopes = api.components.schemas['Scope']?.enum ?? [];

/** Every schema with its location; referenced schemas are visited only at their definition. */
const schemas = collectSchemas();
const operations = Object.entries(api.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== 'parameters')
    .map(([method, object]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation: object as OperationObject,
      parameters: [...(item.parameters ?? []), ...((object as OperationObject).parameters ?? [])].map(resolveParameter),
    })),
);

describe.each(schemas)('schema $at', ({ schema }) => {
  test('the schema is described and bounded', () => {
    if (schema.$ref !== undefined) return;
    expect(schema.description).toMatch(/\S/);
    if (listTypes(schema).includes('array')) expect(schema.maxItems).toBeGreaterThan(0);
    if (listTypes(schema).includes('array')) expect(schema.items).toBeDefined();
  });
});

test('every integer has a maximum, except limit and days, which are clamped', () => {
  const unbounded = schemas.filter(
    ({ schema }) => listTypes(schema).includes('integer') && schema.maximum === undefined,
  );
  const limits = Object.entries(api.components.parameters).filter(([, { 'x-clamp': clamp }]) => clamp !== undefined);

  expect(unbounded.map(({ at }) => at).sort()).toEqual(limits.map(([name]) => `parameters.${name}`).sort());
  expect(limits.every(([, { name }]) => ['limit', 'days'].includes(name))).toBe(true);
});

test('every object in a request body is closed, and every text in it is bounded except the plan', () => {
  // Payloads of providers have the providers' own names; the body of the placeholder is not read.
  const is_foreign = (path: string) => path.startsWith('/webhooks/') || path.startsWith('/chat/slack/');
  const ours = operations.filter(
    ({ path, operation }) => !is_foreign(path) && operation.operationId !== 'putSsoConfig',
  );
  const bodies = ours.flatMap(({ operation }) => operation.requestBody?.content['application/json'] ?? []);
  const reached = bodies.flatMap(({ schema }) => collectReachable(schema));

  const objects = reached.filter((schema) => listTypes(schema).includes('object'));
  expect(objects.length).toBeGreaterThan(0);
  expect(objects.every(({ additionalProperties }) => additionalProperties === false)).toBe(true);
  const texts = reached.filter(
    (schema) => listTypes(schema).includes('string') && !schema.enum && schema.maxLength === undefined,
  );
  expect(texts.map((schema) => schema['x-verbatim'])).toEqual([true]);
});

test('request parts that a domain validates are described as well', () => {
  const left = schemas.filter(({ schema }) => schema['x-checked-as'] !== undefined);

  expect(left.length).toBeGreaterThan(0);
  for (const { schema } of left) {
    if (schema['x-checked-as'] === 'array') expect(schema.items).toBeDefined();
    else expect((schema.oneOf ?? []).length).toBeGreaterThan(1);
  }
});

test('every required property is declared', () => {
  for (const { at, schema } of schemas) {
    const { required = [], properties = {} } = schema as Schema & { required?: string[] };
    expect([at, required.filter((name) => !Object.hasOwn(properties, name))]).toEqual([at, []]);
  }
});

describe.each(operations)('$name', ({ path, method, operation, parameters }) => {
  const { responses, 'x-access': access } = operation;
  const takes_body = operation.requestBody !== undefined;
  const statuses = Object.keys(responses);

  test('the operation declares who can call it', () => {
    expect(Object.keys(access).filter((name) => !Object.hasOwn(ACCESS, name))).toEqual([]);
    for (const [name, value] of Object.entries(access))
      expect([name, ACCESS[name as keyof Access](value)]).toEqual([name, true]);
    expect(path.startsWith('/orgs/{id}')).toBe(access.role !== undefined);
    const by_key = access.credential === 'any' && access.role !== undefined;
    expect(access.scope !== undefined).toBe(by_key && access.key !== 'exempt');
    if (access.self) expect(access.credential).toBe('oidc');
  });

  test('operations below /admin are only for platform admins and not for API keys', () => {
    const exceptions = ['getAdminMe', 'getFederationInfo'];
    if (!exceptions.includes(operation.operationId)) {
      expect(access.platform_admin === 'required').toBe(path.startsWith('/admin/'));
    }
    if (access.platform_admin === 'also') expect(method).toBe('get');
    if (access.platform_admin === 'required') expect([access.credential, access.role]).toEqual(['oidc', undefined]);
  });

  test('the operation declares the credentials that it accepts', () => {
    const schemes = { oidc: undefined, any: [{ oidc: [] }, { apiKey: [] }], none: [] };
    expect(operation.security).toEqual(schemes[access.credential]);
  });

  test('only operations that change something write to the audit log', () => {
    // A browser redirected from another site can only send a GET; its parameters work once.
    // Whoever takes evidence is recorded.
    if (
      ['completeGithubInstallation', 'completeChatInstallation', 'downloadCompliancePack'].includes(
        operation.operationId,
      )
    )
      return;
    if (access.audit !== undefined) expect(method).not.toBe('get');
  });

  test('fields that are shown once exist in the response', () => {
    const secrets = operation['x-secret-fields'] ?? [];
    const body = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
    const schema = body && resolveResponse(body).content?.['application/json']?.schema;
    const shape = schema && bodyShape(api, schema);
    const expected_members = secrets.length === 0 ? [] : [...secrets, 'secret_available'];
    expect(expected_members.filter((name) => !shape?.members?.has(name))).toEqual([]);
    if (secrets.length > 0) expect(parameters.some(({ name }) => name === 'Idempotency-Key')).toBe(true);
  });

  test('a form and JSON have the same schema', () => {
    const { 'application/json': json, 'application/x-www-form-urlencoded': form } =
      operation.requestBody?.content ?? {};
    if (form === undefined) return;
    expect(form.schema).toEqual(json?.schema);
    const { properties = {} } = api.components.schemas[form.schema.$ref!.split('/').at(-1)!]!;
    expect(Object.values(properties).every(({ type }) => type === 'string')).toBe(true);
  });

  test('the operation id is a verb and a noun, and there is a summary', () => {
    expect(operation.operationId).toMatch(VERB_AND_NOUN);
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
  });

  test('the operation declares every error that it can return', () => {
    const expected = [
      '429',
      '500',
      '503',
      ...(access.credential === 'none' ? [] : ['400', '401', '403']),
      ...(path.includes('{') ? ['404'] : []),
      ...(takes_body ? ['413', '415'] : []),
      ...(parameters.some(({ name }) => name === 'Idempotency-Key') ? ['409', '422'] : []),
      ...(parameters.some(({ name }) => name === 'If-None-Match') ? ['304'] : []),
      ...(parameters.some(({ name }) => name === 'If-Match') ? ['412'] : []),
    ];
    expect(statuses).toEqual(expect.arrayContaining(expected));
    // The bodies of a trace may still be stored; a delivery may be ignored; a returning person may be asked for
    // confirmation.
    const of_two = ['getTrace', 'receiveGithubAppWebhook', 'receiveGithubWebhook', 'receiveGitlabWebhook'];
    // A file is sent, or its address.
    const moved = ['completeGithubInstallation', 'completeChatInstallation', 'downloadCompliancePack'].includes(
      operation.operationId,
    );
    const other = moved ? ['200', '302'] : [expect.any(String)];
    const successes = of_two.includes(operation.operationId) ? ['200', '202'] : other;
    expect(statuses.filter((status) => /^(2|30[23])/.test(status))).toEqual(successes);
  });

  test('every error has the shared shape, and every response its headers', () => {
    for (const [status, entry] of Object.entries(responses)) {
      const response = resolveResponse(entry);
      const headers = Object.keys(response.headers ?? {});
      expect(headers).toContain('X-Request-Id');
      if (Number(status) >= 400) {
        const shape = response.content?.['application/json']?.schema.$ref?.split('/').at(-1);
        expect(ERRORS).toContain(shape);
        expect(['PlanLimitError', 'PlatformModelError'].includes(shape ?? '')).toBe(status === '402');
        expect(shape === 'OauthError').toBe(operation['x-error-form'] === 'oauth');
        const schema = api.components.schemas[shape!]!;
        expect([...(bodyShape(api, schema).members?.keys() ?? [])]).toEqual(
          expect.arrayContaining(['error', 'error_class', 'request_id']),
        );
      }
      if (['429', '503'].includes(status)) expect(headers).toContain('Retry-After');
      if (status.startsWith('2') && access.credential !== 'none') expect(headers).toContain('X-RateLimit-Remaining');
      if (status.startsWith('2') && statuses.includes('304')) expect(headers).toContain('ETag');
    }
  });

  test('parameters are described, ids have an access check, and pages have both parameters', () => {
    for (const parameter of parameters) {
      expect(parameter.description).toMatch(/\S/);
      if (parameter.in === 'path')
        expect([parameter.required, isWord(parameter) || ID_FORMS.includes(parameter['x-id'] ?? '')]).toEqual([
          true,
          true,
        ]);
    }
    const names = parameters.map(({ name }) => name);
    expect(names.includes('limit')).toBe(names.includes('offset'));
    if (names.includes('limit')) expect(operation.operationId).toMatch(/^list/);
    // Not needed for refreshes, rescans and uploads of states, which change nothing when repeated; for tokens of invitations and confirmations, which work once; for CI tokens, install URLs and links,
    // where any result is as good as another; for tests and previews, which change nothing; and for redeliveries, which
    // conflict.
    const repeatable = [
      'acceptInvitation',
      'confirmGithubInstallation',
      'confirmChatInstallation',
      'createChatInstallUrl',
      'receiveSlackEvent',
      'receiveSlackCommand',
      'receiveSlackInteraction',
      'exchangeToken',
      'testCustomRule',
      'testWebhook',
      'redeliverWebhook',
      'testNotificationTarget',
      'redeliverNotification',
      'previewDriftIgnoreRule',
      'previewRiskPolicy',
      'enrichResource',
      'validateCloudAccount',
      'validateLlmConfig',
      'refreshStateSource',
      'uploadState',
      'previewStateSourceGlob',
      'rescanStateSourceGlob',
      'computeDrift',
      'createScanLink',
      'createScmInstallUrl',
      'createCheckoutSession',
      'createPortalSession',
      'receiveStripeWebhook',
      'getPublicCheckpoint',
      'getPublicCheckpointKey',
      'receiveGithubAppWebhook',
      'receiveGithubWebhook',
      'receiveGitlabWebhook',
      'cancelScan',
    ];
    const once = method === 'post' && !repeatable.includes(operation.operationId);
    expect(once).toBe(names.includes('Idempotency-Key'));
  });
});

test('an id in the path is that of an organization, except for platform records', () => {
  const others: PlatformRecordOperationId[] = [
    'deleteDomain',
    'setMembershipRole',
    'deleteMembership',
    'deleteUser',
    'listUserMemberships',
  ];
  const found = operations.filter(({ path }) => path.includes('{id}') && !path.startsWith('/orgs/{id}'));

  expect(found.map(({ operation }) => operation.operationId).sort()).toEqual(others.sort());
});

test('a public operation returns a document or is marked as public for its handler', () => {
  const others: PublicOperationId[] = [
    'exchangeToken',
    'completeGithubInstallation',
    'confirmGithubInstallation',
    'receiveStripeWebhook',
    'getPublicCheckpoint',
    'getPublicCheckpointKey',
    'receiveGithubAppWebhook',
    'receiveGithubWebhook',
    'receiveGitlabWebhook',
    'completeChatInstallation',
    'confirmChatInstallation',
    'receiveSlackEvent',
    'receiveSlackCommand',
    'receiveSlackInteraction',
  ];
  const found = operations.filter(({ operation }) => operation['x-access'].credential === 'none');
  const documents: DocumentOperationId[] = ['getOpenapiJson', 'getOpenapiYaml', 'getDocs'];

  expect(found.map(({ operation }) => operation.operationId).sort()).toEqual([...documents, ...others].sort());
});

test('each operation has its own path and a unique name', () => {
  const { all, match } = compileOperations(api);
  for (const { method, template, id } of all) {
    const path = `/api/v2${template.replaceAll(/\{[^}]+\}/g, 'x')}`;
    expect(match(method, path)).toMatchObject({ found: 'operation', operation: { id } });
  }
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test('every component is used', () => {
  const text = JSON.stringify(api);
  const names = Object.entries(api.components).flatMap(([kind, entries]) =>
    kind === 'securitySchemes' ? [] : Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
  );

  expect(names.filter((name) => !text.includes(`"${name}"`))).toEqual([]);
});

function listTypes({ type }: Schema): string[] {
  return type === undefined ? [] : [type].flat();
}

/** One of some words, and not the ID of a record. */
function isWord({ schema }: { schema?: Schema }): boolean {
  const name = schema?.$ref?.split('/').at(-1) ?? '';
  return (api.components.schemas[name]?.enum ?? []).length > 0;
}

function collectSchemas(): { at: string; schema: Schema }[] {
  const found: { at: string; schema: Schema }[] = [];
  const visit = (at: string, schema: Schema): void => {
    found.push({ at, schema });
    for (const [name, member] of Object.entries(schema.properties ?? {})) visit(`${at}.${name}`, member);
    if (schema.items) visit(`${at}[]`, schema.items);
    if (typeof schema.additionalProperties === 'object') visit(`${at}.*`, schema.additionalProperties);
    for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? [])]) visit(`${at}|`, part);
  };
  for (const [name, schema] of Object.entries(api.components.schemas)) visit(`schemas.${name}`, schema);
  for (const [name, { schema }] of Object.entries(api.components.headers)) visit(`headers.${name}`, schema);
  for (const [name, { schema }] of Object.entries(api.components.parameters)) visit(`parameters.${name}`, schema);
  for (const [path, item] of Object.entries(api.paths)) {
    for (const object of Object.values(item) as OperationObject[]) {
      for (const parameter of object.parameters ?? []) {
        if ('schema' in parameter) visit(`${path}?${parameter.name}`, parameter.schema);
      }
      for (const [status, response] of Object.entries(object.responses ?? {})) {
        for (const [name, header] of Object.entries(('headers' in response && response.headers) || {})) {
          if ('schema' in header) visit(`${path} ${status} ${name}`, (header as Header).schema);
        }
      }
    }
  }
  return found;
}

function collectReachable(schema: Schema): Schema[] {
  if (schema.$ref !== undefined) return collectReachable(api.components.schemas[schema.$ref.split('/').at(-1)!]!);
  const members = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.oneOf ?? []),
  ];
  return [schema, ...members.flatMap(collectReachable)];
}

function resolveParameter(entry: Parameter | { $ref: string }): Parameter {
  return '$ref' in entry ? api.components.parameters[entry.$ref.split('/').at(-1)!]! : entry;
}

function resolveResponse(entry: Response | { $ref: string }): Response {
  return '$ref' in entry ? api.components.responses[entry.$ref.split('/').at(-1)!]! : entry;
}
