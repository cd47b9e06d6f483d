import { isObject } from '../lib/is-object.ts';
import { cutText } from '../lib/trim.ts';
import type { CheckFinding, JsonValue } from '../model/result.ts';
import type { PlanHeader, RawCheck } from './types.ts';

const MAX_FINDINGS = 100;
const MAX_DEFERRED = 100;
const MAX_PROBLEMS = 3;
const MAX_TEXT = 300;

/** Counts the checks of a plan by status and keeps those that did not pass. */
export class Checks {
  readonly counts: PlanHeader['checks'] = { pass: 0, fail: 0, error: 0, unknown: 0 };
  private readonly failed: CheckFinding[] = [];
  private readonly unknown: CheckFinding[] = [];

  add({ status: rawStatus, address, instances }: RawCheck): void {
    const status = rawStatus === 'pass' || rawStatus === 'fail' || rawStatus === 'error' ? rawStatus : 'unknown';
    this.counts[status] += 1;
    if (status === 'pass') return;
    const list = status === 'unknown' ? this.unknown : this.failed;
    if (list.length === MAX_FINDINGS) return;
    const problems = status === 'unknown' ? [] : collectProblems(instances);
    list.push({ address: textAt(address, 'to_display') ?? 'unnamed check', status, problems });
  }

  findings(): CheckFinding[] {
    return [...this.failed, ...this.unknown].slice(0, MAX_FINDINGS);
  }
}

/** Counts the deferred changes of a plan and keeps the first addresses. */
export class Deferred {
  count = 0;
  readonly addresses: string[] = [];

  /** Counts an entry. @returns whether its text is needed */
  countEntry(): boolean {
    this.count += 1;
    return this.count <= MAX_DEFERRED;
  }

  add(entry: JsonValue): void {
    const address = textAt(readMember(entry, 'resource_change'), 'address');
    if (address !== undefined) this.addresses.push(address);
  }
}

function collectProblems(instances: JsonValue | undefined): string[] {
  const messages = new Set<string>();
  for (const instance of asList(instances)) {
    for (const problem of asList(readMember(instance, 'problems'))) {
      const message = textAt(problem, 'message');
      if (message !== undefined) messages.add(message);
      if (messages.size === MAX_PROBLEMS) return [...messages];
    }
  }
  return [...messages];
}

function asList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function readMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (!isObject(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function textAt(value: JsonValue | undefined, name: string): string | undefined {
  const text = readMember(value, name);
  if (typeof text !== 'string' || text === '') return undefined;
  return text.length <= MAX_TEXT ? text : `${cutText(text, MAX_TEXT - 1)}…`;
}
