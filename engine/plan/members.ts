import type { CapturedText } from '../json/capture.ts';
import type { ScanHandler, ValueKind } from '../json/scan.ts';
import { parseString, parseText } from '../json/text.ts';
import type { JsonValue } from '../model/result.ts';
import { PlanError, SEND_UNMODIFIED } from './errors.ts';
import { assertPlanMembers, refuseLogLines, refuseVersion } from './refusals.ts';
import type { PlanHeader, PlanLimits } from './types.ts';

/** Members whose entries are visited one by one. */
export type EntryMember =
  | 'resource_changes'
  | 'resource_drift'
  | 'output_changes'
  | 'checks'
  | 'relevant_attributes'
  | 'deferred_changes'
  | 'action_invocations';

/** The only member of `configuration` that is visited, as a whole. */
const PROVIDERS = 'provider_config';
export type VisitedMember = EntryMember | typeof PROVIDERS;

/** The kind of value that contains the entries. */
export const ENTRY_KINDS: ReadonlyMap<string, ValueKind> = new Map<EntryMember, ValueKind>([
  ['resource_changes', 'array'],
  ['resource_drift', 'array'],
  ['output_changes', 'object'],
  ['checks', 'array'],
  ['relevant_attributes', 'array'],
  ['deferred_changes', 'array'],
  ['action_invocations', 'array'],
]);

export const SCALARS: ReadonlySet<string> = new Set([
  'format_version',
  'plan_format_version',
  'terraform_version',
  'complete',
  'errored',
  'applyable',
]);

/** Receives the entries of a plan in the order of the file. */
export interface EntryVisitor {
  /** The member begins. If it occurs twice, discard the entries of the first one, as `JSON.parse` does. */
  start(member: VisitedMember): void;
  /** @returns false when the entries of this member need not be kept as text */
  needsText(member: VisitedMember): boolean;
  /** @param name the key of an entry in an object; '' for a list */
  entry(member: EntryMember, index: number, name: string, text: CapturedText): void;
  /** @param text the object `configuration.provider_config` */
  providers(text: CapturedText): void;
}

/** Reads the top-level members of a plan: visits entries, collects the header, and checks that the text is a plan. */
export class PlanMembers implements ScanHandler {
  private readonly visitor: EntryVisitor;
  private readonly limits: PlanLimits;
  private readonly seen = new Set<string>();
  private readonly scalars = new Map<string, JsonValue>();
  private member = '';
  /** The current member if its entries are visited. */
  private entries: EntryMember | null = null;
  private inConfiguration = false;
  private entryName = '';
  private index = 0;

  constructor(visitor: EntryVisitor, limits: PlanLimits) {
    this.visitor = visitor;
    this.limits = limits;
  }

  key(depth: number, text: CapturedText): void {
    if (depth === 2) {
      if (this.entries === 'output_changes' || this.inConfiguration) this.entryName = parseString(text);
      return;
    }
    this.member = parseString(text);
    if (this.seen.size === 0 && this.member.startsWith('@')) throw refuseLogLines();
    this.seen.add(this.member);
  }

  begin(depth: number, kind: ValueKind): boolean {
    if (depth === 0) return false;
    if (depth === 1) return this.beginMember(kind);
    if (this.inConfiguration) return this.beginConfigured(kind);
    if (this.entries === null) return false;
    if (this.entries === 'resource_changes') this.assertRoom();
    return this.visitor.needsText(this.entries);
  }

  end(depth: number, _at: number, text: CapturedText | null): void {
    if (depth === 2 && this.inConfiguration) {
      if (text !== null) this.visitor.providers(text);
      return;
    }
    if (depth === 2 && this.entries !== null) {
      if (text !== null) this.visitor.entry(this.entries, this.index, this.entryName, text);
      this.index += 1;
      return;
    }
    if (depth !== 1) return;
    this.entries = null;
    this.inConfiguration = false;
    if (text !== null) this.endScalar(parseText(text));
  }

  private beginMember(kind: ValueKind): boolean {
    if (this.member === 'configuration') return this.beginConfiguration(kind);
    const expected = ENTRY_KINDS.get(this.member);
    if (expected === undefined) return this.beginScalar(kind);
    const member = this.member as EntryMember;
    this.visitor.start(member);
    this.index = 0;
    if (kind === expected) {
      this.entries = member;
      return false;
    }
    if (kind !== 'scalar') throw wrongKind(member, expected);
    return true;
  }

  private beginConfiguration(kind: ValueKind): boolean {
    this.visitor.start(PROVIDERS);
    this.inConfiguration = kind === 'object';
    return false;
  }

  private beginConfigured(kind: ValueKind): boolean {
    if (this.entryName !== PROVIDERS) return false;
    this.visitor.start(PROVIDERS);
    return kind === 'object' && this.visitor.needsText(PROVIDERS);
  }

  private beginScalar(kind: ValueKind): boolean {
    if (!SCALARS.has(this.member)) return false;
    if (kind !== 'scalar') throw new PlanError(`The plan's ${this.member} is not a single value. ${SEND_UNMODIFIED}`);
    return true;
  }

  private endScalar(value: JsonValue): void {
    const expected = ENTRY_KINDS.get(this.member);
    if (expected === undefined) {
      this.scalars.set(this.member, value);
      return;
    }
    // Go serializes an empty list as null.
    if (value !== null) throw wrongKind(this.member, expected);
  }

  private assertRoom(): void {
    const max = this.limits.max_resource_changes;
    if (max === undefined || this.index < max) return;
    throw new PlanError(
      `The plan has more than ${max} resource changes, which is the maximum over HTTP. Analyze it with the CLI instead: \`dpa analyze plan.json\`.`,
    );
  }

  /**
   * Returns the parts of the header that do not come from entries. Call it after the end of the text.
   *
   * @throws PlanError when the object is not a plan, or its format version is not supported
   */
  finish(): Omit<PlanHeader, 'checks' | 'check_findings' | 'deferred' | 'deferred_count'> {
    assertPlanMembers(this.seen);
    return {
      format_version: this.version(),
      terraform_version: this.text('terraform_version'),
      complete: this.flag('complete'),
      errored: this.flag('errored'),
      applyable: this.flag('applyable'),
      redacted: this.seen.has('provider_schemas') || this.seen.has('plan_format_version'),
    };
  }

  private version(): string | null {
    const found = this.scalars.get('format_version') ?? this.scalars.get('plan_format_version') ?? null;
    if (found === null) return null;
    const version = String(found);
    if (!/^[01](?:\.|$)/.test(version)) throw refuseVersion(version);
    return version;
  }

  private text(name: string): string | null {
    const value = this.scalars.get(name) ?? null;
    if (value === null || typeof value === 'string') return value;
    throw new PlanError(`The plan's ${name} is not a string. ${SEND_UNMODIFIED}`);
  }

  private flag(name: string): boolean | null {
    const value = this.scalars.get(name) ?? null;
    if (value === null || typeof value === 'boolean') return value;
    throw new PlanError(`The plan's ${name} is neither true nor false. ${SEND_UNMODIFIED}`);
  }
}

function wrongKind(member: string, expected: ValueKind): PlanError {
  return new PlanError(
    `The plan's ${member} is not ${expected === 'array' ? 'a list' : 'an object'}. ${SEND_UNMODIFIED}`,
  );
}
