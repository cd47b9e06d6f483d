import type { ListId, OperationId } from './contract.ts';
import { OPERATIONS } from './generated/operations.ts';
import { RESOURCES, type Resources } from './generated/resources.ts';
import type { AnyParams } from './message.ts';
import type { Listing } from './methods.ts';
import type { FindOrg } from './orgs.ts';
import { readPages } from './paginate.ts';
import type { Send } from './transport.ts';

type MethodInput = Record<string, unknown>;
type AnyMethod = (given?: MethodInput, options?: AnyParams) => PromiseLike<unknown>;

const IN_ORG = /^\/orgs\/\{id\}/;

/** Creates the methods of all resources from the generated table. */
export function createResources(send: Send, findOrg: FindOrg): Resources {
  const createMethod = (operation: OperationId): AnyMethod => {
    const toParams = (given: MethodInput = {}, options: AnyParams = {}) =>
      distributeParams(operation, { given, options, findOrg });
    const call: AnyMethod = async (given, options) => (await send(operation, await toParams(given, options))).body;
    if (!isList(operation)) return call;
    return (given, options) =>
      createListing(
        () => call(given, options),
        async function* () {
          yield* readPages(send, operation, await toParams(given, options));
        },
      );
  };

  const resources = Object.entries(RESOURCES).map(([name, methods]) => [
    name,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, createMethod(operation)])),
  ]);
  return Object.fromEntries(resources) as Resources;
}

/** Distributes parameters: into the path; the others into the query (GET, DELETE) or into the body. */
async function distributeParams(
  operation: OperationId,
  { given, options, findOrg }: { given: MethodInput; options: AnyParams; findOrg: FindOrg },
): Promise<AnyParams> {
  const { method, path: template } = OPERATIONS[operation];
  const path: MethodInput = {};
  const rest: MethodInput = {};
  for (const [name, value] of Object.entries(given)) {
    (template.includes(`{${name}}`) ? path : rest)[name] = value;
  }
  if (IN_ORG.test(template)) {
    const { org_id } = rest;
    delete rest['org_id'];
    path['id'] = await findOrg(org_id as string | undefined);
  }
  if (Object.keys(rest).length === 0) return { ...options, path };
  return method === 'GET' || method === 'DELETE' ? { ...options, path, query: rest } : { ...options, path, body: rest };
}

function isList(operation: OperationId): operation is ListId {
  return 'is_list' in OPERATIONS[operation];
}

/** Sends no request before it is awaited or iterated. */
function createListing(
  first: () => PromiseLike<unknown>,
  items: () => AsyncIterator<unknown>,
): Listing<unknown, unknown> {
  let page: PromiseLike<unknown> | undefined;
  return {
    // biome-ignore lint/suspicious/noThenProperty: `await` on a list gives its first page
    then(fulfilled, rejected) {
      page ??= first();
      return page.then(fulfilled, rejected);
    },
    [Symbol.asyncIterator]: items as () => AsyncIterator<unknown>,
  };
}
