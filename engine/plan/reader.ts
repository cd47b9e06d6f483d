import type { CapturedText } from '../json/capture.ts';
import { createSource } from '../json/source.ts';
import { parseText } from '../json/text.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonValue } from '../model/result.ts';
import { Checks, Deferred } from './findings.ts';
import { type EntryMember, type EntryVisitor, PlanMembers, type VisitedMember } from './members.ts';
import { readProviders } from './providers.ts';
import { PLAN_ERRORS } from './refusals.ts';
import { asChange, asCheck, asInvocation, asRelevantAttribute, asResourceChange } from './shape.ts';
import type {
  PlanHeader,
  PlanLimits,
  RawChange,
  RawInvocation,
  RawProviderConfig,
  RawRelevantAttribute,
  RawResourceChange,
} from './types.ts';

/** The default for the largest entry. */
const MAX_ENTRY_BYTES = 64 * 1_048_576;

/** Receives the entries of a plan in the order of the file. */
export interface PlanSink {
  resourceChange(raw: RawResourceChange): void;
  resourceDrift(raw: RawResourceChange): void;
  /** A change that is left to a later plan; at most the first 100. */
  deferredChange(raw: RawResourceChange): void;
  invocation(raw: RawInvocation): void;
  /** The same name may occur twice; the last one wins. */
  outputChange(name: string, raw: RawChange): void;
  relevantAttribute(raw: RawRelevantAttribute): void;
  /** One entry of `configuration.provider_config` with a version constraint, or with the accounts that it manages. */
  providerConfig(raw: RawProviderConfig): void;
  /** The file contains this member a second time: discard the earlier entries, as `JSON.parse` does. */
  restart(member: SinkMember): void;
}

export type SinkMember =
  | 'resource_changes'
  | 'resource_drift'
  | 'deferred_changes'
  | 'action_invocations'
  | 'output_changes'
  | 'relevant_attributes'
  | 'provider_config';

export interface PlanReader {
  /** @param chunk the next bytes, split at any position; the caller may reuse it afterward */
  write(chunk: Uint8Array): void;
  end(): PlanHeader;
}

/**
 * Reads a plan (`terraform show -json`, major format version 0 or 1) in chunks with constant memory: only one entry is
 * parsed at a time. Entries equal those of `JSON.parse` with two exceptions: numbers that a double cannot represent are
 * strings of their digits, and characters that PostgreSQL cannot store are U+FFFD.
 *
 * `write` and `end` throw PlanError when the text is not such a plan, possibly after some entries were delivered.
 */
export function createPlanReader(sink: PlanSink, limits: PlanLimits = {}): PlanReader {
  const visitor = new SinkVisitor(sink);
  const members = new PlanMembers(visitor, limits);
  const source = createSource(members, PLAN_ERRORS, limits.max_entry_bytes ?? MAX_ENTRY_BYTES);

  function end(): PlanHeader {
    source.end();
    const { deferred, checks } = visitor;
    return {
      ...members.finish(),
      deferred_count: deferred.count,
      deferred: deferred.addresses,
      checks: checks.counts,
      check_findings: checks.findings(),
    };
  }

  return { write: source.write, end };
}

class SinkVisitor implements EntryVisitor {
  private readonly sink: PlanSink;
  /** Members with delivered entries since their last start. */
  private readonly emitted = new Set<VisitedMember>();
  deferred = new Deferred();
  checks = new Checks();

  constructor(sink: PlanSink) {
    this.sink = sink;
  }

  start(member: VisitedMember): void {
    if (member === 'checks') this.checks = new Checks();
    else if (member === 'deferred_changes') this.deferred = new Deferred();
    if (member !== 'checks' && this.emitted.delete(member)) this.sink.restart(member);
  }

  needsText(member: VisitedMember): boolean {
    return member !== 'deferred_changes' || this.deferred.countEntry();
  }

  entry(member: EntryMember, index: number, name: string, text: CapturedText): void {
    const value = parseText(text);
    this.emitted.add(member);
    if (member === 'output_changes') {
      this.sink.outputChange(name, asChange(value, `output_changes[${JSON.stringify(name.slice(0, 100))}]`));
      return;
    }
    this.listEntry(member, value, `${member}[${index}]`);
  }

  providers(text: CapturedText): void {
    this.emitted.add('provider_config');
    for (const provider of readProviders(text).values()) this.sink.providerConfig(provider);
  }

  private listEntry(member: EntryMember, value: JsonValue, where: string): void {
    if (member === 'resource_changes') this.sink.resourceChange(asResourceChange(value, where));
    else if (member === 'resource_drift') this.sink.resourceDrift(asResourceChange(value, where));
    else if (member === 'relevant_attributes') this.sink.relevantAttribute(asRelevantAttribute(value, where));
    else if (member === 'deferred_changes') this.addDeferred(value, where);
    else if (member === 'action_invocations') this.addInvocation(asInvocation(value, where));
    else this.checks.add(asCheck(value, where));
  }

  private addDeferred(value: JsonValue, where: string): void {
    this.deferred.add(value);
    const change = isObject(value) ? value['resource_change'] : undefined;
    if (isObject(change) && isObject(change['change']))
      this.sink.deferredChange(asResourceChange(change, `${where}.resource_change`));
  }

  private addInvocation(invocation: RawInvocation | null): void {
    if (invocation !== null) this.sink.invocation(invocation);
  }
}
