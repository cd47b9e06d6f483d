import type { MergeRequests } from '@gitbeaker/rest';
import type { z } from 'zod';
import type { ApiRequest, HttpClient } from './http-client.ts';
import { readAll } from './shapes.ts';

type RequesterFn = NonNullable<NonNullable<ConstructorParameters<typeof MergeRequests>[0]>['requesterFn']>;
type Requester = ReturnType<RequesterFn>;

export type GitlabApi = Awaited<ReturnType<typeof loadApi>>;

/** The parts of GitLab's REST API that are used. The package is loaded on first use, because that takes 0.1 s. */
export async function loadApi(client: HttpClient) {
  const rest = await import('@gitbeaker/rest');
  const options = { host: `https://${client.host}`, requesterFn: createRequester(client), queryTimeout: null };
  return {
    approvals: new rest.MergeRequestApprovals(options),
    branches: new rest.Branches(options),
    commits: new rest.Commits(options),
    emojis: new rest.MergeRequestNoteAwardEmojis(options),
    files: new rest.RepositoryFiles(options),
    issueNotes: new rest.IssueNotes(options),
    issues: new rest.Issues(options),
    jobs: new rest.Jobs(options),
    members: new rest.ProjectMembers(options),
    mergeRequests: new rest.MergeRequests(options),
    notes: new rest.MergeRequestNotes(options),
    pipelines: new rest.Pipelines(options),
    projects: new rest.Projects(options),
    users: new rest.Users(options),
  };
}

/** Sends the requests of the package with our HTTP client: its own follows redirects with the token, to any address. */
function createRequester(client: HttpClient): RequesterFn {
  return ({ url }) => {
    // Some resources have a path prefix in their address.
    const [, base_path = ''] = url.split(/\/api\/v4\/?/);
    const method =
      (name: ApiRequest['method']): Requester['get'] =>
      async (path, { searchParams, body } = {}) => {
        const query = new URLSearchParams();
        for (const [key, value] of Object.entries(searchParams ?? {})) {
          if (value !== undefined) query.set(snake(key), String(value));
        }
        const fields = Object.fromEntries(Object.entries(body ?? {}).map(([key, value]) => [snake(key), value]));
        const whole_path = base_path === '' ? path : `${base_path}/${path}`;
        const answer = await client.ask({ method: name, path: whole_path, query, ...(body && { body: fields }) });
        // Otherwise the package would follow links to further pages without a limit.
        const { link: _link, ...headers } = answer.headers;
        return { status: answer.status, headers, body: answer.body as never };
      };
    return { get: method('GET'), post: method('POST'), put: method('PUT'), patch: rejectMethod, delete: rejectMethod };
  };
}

/** The bot does not use these methods. */
async function rejectMethod(): Promise<never> {
  throw new TypeError('a bot only reads, creates and updates');
}

function snake(camel: string): string {
  return camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Maximum number of pages, with a hundred items each. */
const MAX_PAGES = 200;

interface Page {
  data: unknown;
  /** Missing if the response is not a list. */
  paginationInfo?: { next: number | null };
}

/** Reads the pages of a list in order. */
export async function* listPages(list: (page: { page: number; perPage: 100; showExpanded: true }) => Promise<Page>) {
  let page = 1;
  while (page <= MAX_PAGES) {
    const { data, paginationInfo }: Page = await list({ page, perPage: 100, showExpanded: true });
    yield data;
    if (paginationInfo?.next !== page + 1) return;
    page += 1;
  }
}

/** Reads every item of a list. */
export async function readAllPages<T>(shape: z.ZodType<T>, list: Parameters<typeof listPages>[0]): Promise<T[]> {
  const all: T[] = [];
  for await (const page of listPages(list)) all.push(...readAll(shape, page));
  return all;
}
