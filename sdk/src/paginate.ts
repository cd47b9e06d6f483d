import type { ListId } from './contract.ts';
import { DpaApiError } from './errors.ts';
import type { AnyParams } from './message.ts';
import type { Send } from './transport.ts';

/** Reads a list page by page, each page when its first item is needed; `query.limit` is the page size. */
export async function* readPages(
  send: Send,
  operation: ListId,
  params: AnyParams,
): AsyncGenerator<unknown, void, void> {
  let offset = Number(params.query?.['offset'] ?? 0);
  for (;;) {
    const { status, headers, request_id, body } = await send(operation, {
      ...params,
      query: { ...params.query, offset },
    });
    const items = findItems(body);
    // Without this check, a response of another service would look like an empty list.
    if (items === undefined) throw new DpaApiError({ operation, status, request_id, retry_after: undefined, body });
    yield* items;
    offset += items.length;
    if (items.length === 0 || offset >= Number(headers.get('x-total-count'))) return;
  }
}

/** Returns the body, or the member of the body that is a list. */
function findItems(body: unknown): unknown[] | undefined {
  return Array.isArray(body) ? body : Object.values(body ?? {}).find(Array.isArray);
}
