import type { BodyReaders, Declarations, DomainParts, LimitName, PathChecks } from '../contract/domain-parts.ts';
import type { DomainOperationId, Handlers } from '../contract/operation.ts';
import type { SealedColumn } from '../db/index.ts';
import { LIMIT_NAMES } from '../domains/entitlements/index.ts';
import type { JobDefinition, Loop, Sweep } from '../queue/index.ts';

type HandledBy<Parts extends DomainParts> = Parts extends { handlers: infer Handled } ? keyof Handled : never;
type Unhandled<Parts extends DomainParts> = Exclude<DomainOperationId, HandledBy<Parts>>;

export interface Composed {
  handlers: Handlers;
  path_checks: PathChecks;
  body_readers: BodyReaders;
  jobs: JobDefinition[];
  sweeps: Sweep[];
  loops: Loop[];
}

export function createDeclarations(): Declarations {
  return { audit_events: new Map(), settings: {}, usage: {} };
}

/**
 * Combines the declarations of all domains into `declared`. An operation of the contract without a handler does not
 * compile.
 *
 * @param sealed_columns the columns that `dpa keys rotate` encrypts again
 * @throws Error that lists everything declared twice or not at all
 */
export function compose<Parts extends DomainParts>(
  parts: readonly Parts[] & ([Unhandled<Parts>] extends [never] ? unknown : { unhandled: Unhandled<Parts> }),
  { declared, sealed_columns }: { declared: Declarations; sealed_columns: readonly SealedColumn[] },
): Composed {
  const problems = [...findDuplicates(parts), ...findGaps(parts, sealed_columns)];
  if (problems.length > 0) throw new Error(`the declarations of the domains do not match: ${problems.join('; ')}`);
  for (const { audit_events = {}, settings = {}, usage = {} } of parts) {
    for (const [action, kind] of Object.entries(audit_events)) declared.audit_events.set(action, kind);
    Object.assign(declared.settings, settings);
    Object.assign(declared.usage, usage);
  }
  return {
    handlers: Object.assign({}, ...parts.map(({ handlers }) => handlers)),
    path_checks: Object.assign({}, ...parts.map(({ path_checks }) => path_checks)),
    body_readers: Object.assign({}, ...parts.map(({ body_readers }) => body_readers)),
    jobs: parts.flatMap(({ jobs = [] }) => jobs),
    sweeps: parts.flatMap(({ sweeps = [] }) => sweeps),
    loops: parts.flatMap(({ loops = [] }) => loops),
  };
}

/** Everything that must be declared exactly once, as names. */
const UNIQUE: Record<string, (parts: DomainParts) => readonly string[]> = {
  domain: ({ domain }) => [domain],
  handler: ({ handlers }) => Object.keys(handlers),
  'path check': ({ path_checks = {} }) => Object.keys(path_checks),
  'body reader': ({ body_readers = {} }) => Object.keys(body_readers),
  'queue worker': ({ jobs = [] }) => jobs.map(({ queue }) => queue),
  'sweep or loop': ({ sweeps = [], loops = [] }) => [...sweeps, ...loops].map(({ name }) => name),
  'encrypted column': ({ sealed_columns = [] }) => sealed_columns.map(columnName),
  'audit event': ({ audit_events = {} }) => Object.keys(audit_events),
  setting: ({ settings = {} }) => Object.keys(settings),
  limit: ({ limits = [] }) => limits,
  'usage counter': ({ usage = {} }) => Object.keys(usage),
};

function findDuplicates(parts: readonly DomainParts[]): string[] {
  return Object.entries(UNIQUE).flatMap(([what, listNames]) => {
    const first = new Map<string, string>();
    return parts.flatMap((part) =>
      listNames(part).flatMap((name) => {
        const other = first.get(name);
        first.set(name, part.domain);
        return other === undefined ? [] : [`${other} and ${part.domain} both declare the ${what} ${name}`];
      }),
    );
  });
}

function findGaps(parts: readonly DomainParts[], sealed_columns: readonly SealedColumn[]): string[] {
  const handled = new Set(parts.flatMap(({ handlers }) => Object.keys(handlers)));
  const limited = new Set(parts.flatMap(({ limits = [] }) => limits));
  const rotated = new Set(sealed_columns);
  const sealed = new Set(parts.flatMap((part) => part.sealed_columns ?? []));
  return [
    ...parts.flatMap(({ domain, path_checks = {}, body_readers = {} }) =>
      [...Object.keys(path_checks), ...Object.keys(body_readers)]
        .filter((operation) => !handled.has(operation))
        .map((operation) => `${domain} declares a path check or body reader for ${operation}, which has no handler`),
    ),
    ...LIMIT_NAMES.filter((name) => !limited.has(name)).map((name) => `no domain enforces the limit ${name}`),
    ...parts.flatMap(({ domain, limits = [], usage = {} }) => [
      ...limits
        .filter((name) => usage[name] === undefined)
        .map((name) => `${domain} does not count the usage of ${name}`),
      ...Object.keys(usage)
        .filter((name) => !limits.includes(name as LimitName))
        .map((name) => `${domain} counts the usage of ${name}, which it does not enforce`),
    ]),
    ...[...sealed]
      .filter((column) => !rotated.has(column))
      .map((column) => `key rotation does not include ${columnName(column)}`),
    ...[...rotated].filter((column) => !sealed.has(column)).map((column) => `no domain declares ${columnName(column)}`),
  ];
}

function columnName({ table, column }: SealedColumn): string {
  return `${table}.${column}`;
}
