import type { CapturedText } from '../json/capture.ts';
import type { ScanHandler, ValueKind } from '../json/scan.ts';
import { parseString } from '../json/text.ts';
import { ENTRY_KINDS, type EntryVisitor, PlanMembers, SCALARS, type VisitedMember } from './members.ts';
import { readProviders } from './providers.ts';
import { createSource } from './source.ts';
import type { PlanLimits } from './types.ts';

/** Never read, but their presence tells what the text is: they stay, empty. */
const MARKER_MEMBERS: ReadonlySet<string> = new Set(['planned_values', 'provider_schemas']);

/**
 * The same plan without what the engine never reads (`prior_state`, `variables`, what `planned_values` holds, all of
 * `configuration` but the versions of providers, …), so that most real plans fit into a request. Analysing either gives
 * the same result.
 *
 * One byte scan, which also tells whether the text is a plan: whole and well-formed JSON, nested at most 200 deep, the
 * members of a plan, a known format version, the number of changes. It does not look inside entries: one that is not as
 * Terraform writes it is found by `createPlanReader` alone.
 *
 * @returns UTF-8, whatever the encoding was, without the wrapper's lines; what is kept is kept byte by byte, but
 *   for the providers, which are written anew
 * @throws PlanError saying what was found and what to run instead
 */
export function compactPlan(bytes: Uint8Array, limits: PlanLimits = {}): Uint8Array {
  const handler = new CompactHandler(limits);
  const source = createSource(handler, Number.POSITIVE_INFINITY);
  source.write(bytes);
  source.end();
  return handler.finish();
}

/** Hears of the entries and keeps none of them; of the providers it keeps what constrains their versions. */
class ProviderKeeper implements EntryVisitor {
  /** The text of `configuration`; empty where it tells no version. */
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
  /** The closing bracket of the member whose entries are being kept one by one. */
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

  /** One that tells nothing still takes the place of one before it. */
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
