import { computeQuantile } from '../../lib/statistics.ts';
import type { RawResponse } from '../client.ts';
import type { watchMemory } from '../memory.ts';
import type { Contract } from './contract.ts';
import type { Fault } from './judge.ts';
import { toCurl } from './reproduce.ts';
import type { FuzzRequest } from './requests.ts';

const MB = 1024 * 1024;
const EXAMPLES_PER_FAULT = 2;

interface FaultCount {
  count: number;
  shown: string[];
}

/** Counts responses and faults, and prints them as a table. */
export function createReport(contract: Contract, url: string, readLog: () => string) {
  const begun = performance.now();
  const statuses = new Map<number, number>();
  const succeeded = new Set<string>();
  const times: number[] = [];
  /** By kind and operation, so that repeated faults are listed once. */
  const faults = new Map<string, FaultCount>();

  function add(kind: string, detail: string): void {
    const found = faults.get(kind) ?? { count: 0, shown: [] };
    found.count += 1;
    if (found.shown.length < EXAMPLES_PER_FAULT) found.shown.push(detail);
    faults.set(kind, found);
  }

  return {
    count(request: FuzzRequest, answer: RawResponse, wrong: Fault[]): void {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      times.push(answer.ms);
      if (answer.status < 400 && !request.is_misdirected) succeeded.add(request.operation.id);
      for (const { kind, detail } of wrong) {
        const sender = `request ${request.n} by ${request.caller.kind}`;
        const logged = answer.status >= 500 ? `\n    log: ${findLogLine(readLog(), answer)}` : '';
        add(`${kind}: ${request.operation.id}`, `${sender}: ${detail}\n    ${toCurl(url, request)}${logged}`);
      }
    },
    reportUnanswered(request: FuzzRequest, error: unknown): void {
      add(`no answer: ${request.operation.id}`, `request ${request.n}: ${String(error)}\n    ${toCurl(url, request)}`);
    },
    reportBreak(what: string): void {
      add('broken', what);
    },
    /** @returns whether no limit was exceeded */
    print({ memory, most_mb }: { memory: ReturnType<typeof watchMemory>; most_mb: number }): boolean {
      for (const [kind, { count, shown }] of faults) {
        console.log(`\n${kind} (${count} times)`);
        for (const one of shown) console.log(`  ${one}`);
      }
      const grown_mb = Math.round((memory.peak() - memory.idle) / MB);
      const seconds = Math.round((performance.now() - begun) / 1000);
      const never = contract.operations.filter(({ id }) => !succeeded.has(id)).map(({ id }) => id);
      console.table({
        requests: times.length,
        seconds,
        'p50 ms': Math.round(computeQuantile(times, 0.5)),
        'p99 ms': Math.round(computeQuantile(times, 0.99)),
        'kinds of fault': faults.size,
        'memory above idle, MB': `${grown_mb} (limit ${most_mb})`,
        'operations that succeeded': `${succeeded.size} of ${contract.operations.length}`,
        ...Object.fromEntries(
          [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => [`answers ${status}`, count]),
        ),
      });
      if (never.length > 0) console.log(`never succeeded: ${never.join(', ')}`);
      return faults.size === 0 && grown_mb <= most_mb;
    },
  };
}

/** The log line of a failed request. */
function findLogLine(log: string, { headers }: RawResponse): string {
  const id = String(headers['x-request-id']);
  const line = log.split('\n').find((one) => one.includes(id) && one.includes('request failed'));
  return (line ?? 'nothing').slice(0, 1_500);
}
