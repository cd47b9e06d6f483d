import type { MergeRequests } from '@gitbeaker/rest';
import type { z } from 'zod';
import { readAll } from './shapes.ts';
import type { ApiRequest, Wire } from './wire.ts';

type RequesterFn = NonNullable<NonNullable<ConstructorParameters<typeof MergeRequests>[0]>['requesterFn']>;
type Requester = ReturnType<RequesterFn>;

export type GitlabApi = Awaited<ReturnType<typeof loadApi>>;

/** The parts of GitLab's REST API that a bot needs. The package takes a tenth of a second to load: on first use. */
export async function loadApi(wire: Wire) {
  const rest = await import('@gitbeaker/rest');
  const options = { host: `https://${wire.host}`, requesterFn: requesterOn(wire), queryTimeout: null };
  return {
    approvals: new rest.MergeRequestApprovals(options),
    branches: new rest.Branches(options),
    commits: new rest.Commits(options),
    emojis: new rest.MergeRequestNoteAwardEmojis(options),
    jobs: new rest.Jobs(options),
    members: new rest.ProjectMembers(options),
    mergeRequests: new rest.MergeRequests(options),
    notes: new rest.MergeRequestNotes(options),
    pipelines: new rest.Pipelines(options),
    projects: new rest.Projects(options),
    users: new rest.Users(options),
  };
}

/** Has the package's requests made by the wire: its own follow redirects with the token, and go where they are told. */
function requesterOn(wire: Wire): RequesterFn {
  return ({ url }) => {
    // Some resources have the beginning of their paths in their address.
    const [, below = ''] = url.split(/\/api\/v4\/?/);
    const method =
      (name: ApiRequest['method']): Requester['get'] =>
      async (path, { searchParams, body } = {}) => {
        const query = new URLSearchParams();
        for (const [key, value] of Object.entries(searchParams ?? {})) {
          if (value !== undefined) query.set(snake(key), String(value));
        }
        const fields = Object.fromEntries(Object.entries(body ?? {}).map(([key, value]) => [snake(key), value]));
        const whole_path = below === '' ? path : `${below}/${path}`;
        const answer = await wire.ask({ method: name, path: whole_path, query, ...(body && { body: fields }) });
        // The package would follow the links to further pages to no end.
        const { link: _link, ...headers } = answer.headers;
        return { status: answer.status, headers, body: answer.body as never };
      };
    return { get: method('GET'), post: method('POST'), put: method('PUT'), patch: refused, delete: refused };
  };
}

/** Nothing of what a bot does. */
async function refused(): Promise<never> {
  throw new TypeError('a bot only reads, creates and updates');
}

function snake(camel: string): string {
  return camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Of a hundred items each; more is nothing that a bot has to know. */
const MAX_PAGES = 200;

interface Page {
  data: unknown;
  /** Not there when GitLab answers with something else than a list. */
  paginationInfo?: { next: number | null };
}

/** The pages of a list, in their order. */
export async function* pages(list: (page: { page: number; perPage: 100; showExpanded: true }) => Promise<Page>) {
  let page = 1;
  while (page <= MAX_PAGES) {
    const { data, paginationInfo }: Page = await list({ page, perPage: 100, showExpanded: true });
    yield data;
    if (paginationInfo?.next !== page + 1) return;
    page += 1;
  }
}

/** Every item of a list. */
export async function allOf<T>(shape: z.ZodType<T>, list: Parameters<typeof pages>[0]): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages(list)) all.push(...readAll(shape, page));
  return all;
}
