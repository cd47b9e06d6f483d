import type { Dice } from '../dice.ts';
import type { FuzzOperation } from './contract.ts';

const MOST_KEPT = 200;

/**
 * Ids for the path parameters of each organization, taken from answers: what a collection shows or creates fills the
 * parameter that stands below its path.
 *
 * @param protected_ids ids of what the callers themselves need; they are never handed out
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
    /** Moves an id of something deleted to where `pickDeleted` finds it. */
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
    /** Learns what an answer of a collection shows. @param org empty where the path names none */
    learn(template: string, org: string, body: unknown): void {
      const param = params.get(template);
      if (param !== undefined) for (const id of findIds(param, body)) keep(param, org, id);
      if (template.endsWith('/analyze')) learnAnalysis(keep, org, body);
    },
  };
}

export type Pools = ReturnType<typeof createPools>;

/** `/orgs/{id}/scans` → `scan_id`. Admin paths share names, so their last segments tell them apart. */
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

/** Names a path parameter in the pools. */
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
