import type { CapturedText } from '../json/capture.ts';
import type { ScanHandler, ValueKind } from '../json/scan.ts';
import { createSource } from '../json/source.ts';
import { parseString } from '../json/text.ts';
import { ENTRY_KINDS, type EntryVisitor, PlanMembers, SCALARS, type VisitedMember } from './members.ts';
import { readProviders } from './providers.ts';
import { PLAN_ERRORS } from './refusals.ts';
import type { PlanLimits } from './types.ts';

/** Members that are not read but identify the document. They are kept as empty objects. */
const MARKER_MEMBERS: ReadonlySet<string> = new Set(['planned_values', 'provider_schemas']);

/**
 * Removes everything that the engine never reads (`prior_state`, `variables`, the contents of `planned_values`,
 * `configuration` except provider versions and whose accounts they manage, …), so that most real plans fit into a request. The analysis of the
 * compacted plan gives the same result.
 *
 * Scans the bytes once and checks that the text is a plan: complete and valid JSON, nested at most 200 levels deep,
 * with the members of a plan, a supported format version, and an allowed number of changes. It does not check the
 * contents of entries; only `createPlanReader` does.
 *
 * @returns UTF-8 in any case, without wrapper lines; kept members are unchanged byte for byte, except the providers,
 *   which are serialized again
 * @throws PlanError that describes the input and the command to run instead
 */
export function compactPlan(bytes: Uint8Array, limits: PlanLimits = {}): Uint8Array {
  const handler = new CompactHandler(limits);
  const source = createSource(handler, PLAN_ERRORS, Number.POSITIVE_INFINITY);
  source.write(bytes);
  source.end();
  return handler.finish();
}

/** Ignores entries, and keeps the version constraints of providers and whose accounts they manage. */
class ProviderKeeper implements EntryVisitor {
  /** The new text of `configuration`; empty when it contains nothing to keep. */
  kept = '';

  start(member: VisitedMember): void {
    if (member === 'provider_config') this.kept = '';
  }

  needsText(member: VisitedMember): boolean {
    return member === 'provider_config';
  }

  entry(): void {}

  providers(text: CapturedText): void {
    const providers = readProviders(text);
    if (providers.size === 0) return;
    this.kept = JSON.stringify({ provider_config: Object.fromEntries(providers) });
  }
}

class CompactHandler implements ScanHandler {
  private readonly keeper = new ProviderKeeper();
  private readonly members: PlanMembers;
  private readonly parts: Buffer[] = [];
  private name = '';
  private entryName = '';
  private isScalar = false;
  private hasConfiguration = false;
  /** The closing bracket of the member whose entries are being kept; null for other members. */
  private closing: ']' | '}' | null = null;
  private separator = '';

  constructor(limits: PlanLimits) {
    this.members = new PlanMembers(this.keeper, limits);
  }

  key(depth: number, text: CapturedText): void {
    if (depth === 1) this.name = parseString(text);
    else if (this.closing !== null) this.entryName = parseString(text);
    this.members.key(depth, text);
  }

  begin(depth: number, kind: ValueKind): boolean {
    const needed = this.members.begin(depth, kind);
    if (depth !== 1) return this.closing !== null || needed;
    const isScalar = needed;
    this.isScalar = isScalar;
    if (isScalar || kind === 'scalar' || !ENTRY_KINDS.has(this.name)) return SCALARS.has(this.name) || isScalar;
    this.closing = kind === 'array' ? ']' : '}';
    this.separator = '';
    this.keepMember(Buffer.from(kind === 'array' ? '[' : '{'));
    return false;
  }

  end(depth: number, at: number, text: CapturedText | null): void {
    if (depth === 2) {
      if (text !== null && this.closing !== null) this.keepEntry(text.bytes);
      this.members.end(depth, at, this.closing === null ? text : null);
      return;
    }
    if (depth !== 1) return;
    this.members.end(depth, at, this.isScalar ? text : null);
    if (this.closing !== null) this.parts.push(Buffer.from(this.closing));
    else if (text !== null) this.keepMember(text.bytes);
    else if (MARKER_MEMBERS.has(this.name)) this.keepMember(EMPTY_OBJECT);
    else if (this.name === 'configuration') this.keepConfiguration();
    this.closing = null;
  }

  /** Keeps the configuration. A second one without version constraints still replaces the first one. */
  private keepConfiguration(): void {
    const { kept } = this.keeper;
    if (kept === '' && !this.hasConfiguration) return;
    this.hasConfiguration = true;
    this.keepMember(kept === '' ? EMPTY_OBJECT : Buffer.from(kept));
  }

  private keepMember(value: Buffer): void {
    const before = this.parts.length === 0 ? '{' : ',';
    this.parts.push(Buffer.from(`${before}${JSON.stringify(this.name)}:`), value);
  }

  private keepEntry(value: Buffer): void {
    const name = this.closing === '}' ? `${JSON.stringify(this.entryName)}:` : '';
    if (this.separator !== '' || name !== '') this.parts.push(Buffer.from(`${this.separator}${name}`));
    this.parts.push(value);
    this.separator = ',';
  }

  finish(): Uint8Array {
    this.members.finish();
    return Buffer.concat([...this.parts, Buffer.from(this.parts.length === 0 ? '{}' : '}')]);
  }
}

const EMPTY_OBJECT = Buffer.from('{}');
