import type { Dice } from '../dice.ts';
import type { FuzzOperation } from './contract.ts';

const MOST_KEPT = 200;

/**
 * IDs for the path parameters of each organization, collected from responses: a record that a collection lists or
 * creates provides the parameter below the path of the collection.
 *
 * @param protected_ids IDs of records that the callers themselves need; these are never returned
 */
export function createPools(operations: readonly FuzzOperation[], protected_ids: ReadonlySet<string>) {
  const ids = new Map<string, string[]>();
  const params = mapCollectionParams(operations);

  function keep(param: string, org: string, id: string): void {
    if (protected_ids.has(id)) return;
    const known = ids.get(`${org} ${param}`) ?? [];
    if (known.includes(id)) return;
    known.push(id);
    if (known.length > MOST_KEPT) known.shift();
    ids.set(`${org} ${param}`, known);
  }

  return {
    keep,
    pick(dice: Dice, param: string, org: string): string | undefined {
      const known = ids.get(`${org} ${param}`) ?? [];
      return known.length === 0 ? undefined : dice.pick(known);
    },
    list: (param: string, org: string): readonly string[] => ids.get(`${org} ${param}`) ?? [],
    /** Moves the ID of a deleted record to the pool of `pickDeleted`. */
    drop(param: string, org: string, id: string): void {
      const known = ids.get(`${org} ${param}`) ?? [];
      ids.set(
        `${org} ${param}`,
        known.filter((one) => one !== id),
      );
      keep(`deleted ${param}`, org, id);
    },
    pickDeleted(dice: Dice, param: string, org: string): string | undefined {
      return this.pick(dice, `deleted ${param}`, org);
    },
    /** Collects the IDs in the response of a collection. @param org empty if the path names none */
    learn(template: string, org: string, body: unknown): void {
      const param = params.get(template);
      if (param !== undefined) for (const id of findIds(param, body)) keep(param, org, id);
      if (template.endsWith('/analyze')) learnAnalysis(keep, org, body);
    },
  };
}

export type Pools = ReturnType<typeof createPools>;

/** Maps `/orgs/{id}/scans` to `scan_id`. Admin paths share names, so their last segments distinguish them. */
function mapCollectionParams(operations: readonly FuzzOperation[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { template } of operations) {
    for (const match of template.matchAll(/\/\{(\w+)\}/g)) {
      const above = template.slice(0, match.index);
      if (above !== '/orgs') found.set(above, buildParamKey(template, match[1] ?? ''));
    }
  }
  found.set('/orgs/{id}/scans/{scan_id}/traces', 'trace_id');
  return found;
}

/** The name of a path parameter in the pools. */
export function buildParamKey(template: string, name: string): string {
  return template.startsWith('/admin/') ? `${template.split('/')[2]} ${name}` : name;
}

function findIds(param: string, body: unknown): string[] {
  const field = param === 'fingerprint' ? 'fingerprint' : 'id';
  const records = [body, ...Object.values(isRecord(body) ? body : {}).flat(), ...(Array.isArray(body) ? body : [])];
  return records.flatMap((one) => (isRecord(one) && typeof one[field] === 'string' ? [one[field]] : []));
}

function learnAnalysis(keep: (param: string, org: string, id: string) => void, org: string, body: unknown): void {
  if (!isRecord(body)) return;
  keep('job_id', org, String(body['job_id']));
  keep('scan_id', org, String(body['scan_run_id']));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
