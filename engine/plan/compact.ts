import type { CapturedText } from './capture.ts';
import { ENTRY_KINDS, type EntryVisitor, PlanMembers, SCALARS } from './members.ts';
import type { ScanHandler, ValueKind } from './scan.ts';
import { createSource } from './source.ts';
import { parseString } from './text.ts';
import type { PlanLimits } from './types.ts';

/** Never read, but their presence tells what the text is: they stay, empty. */
const MARKS: ReadonlySet<string> = new Set(['planned_values', 'provider_schemas']);

/** Hears of the entries and keeps none of them. */
const BUILDS_NOTHING: EntryVisitor = { start() {}, wants: () => false, entry() {} };

/**
 * The same plan without the members which the engine never reads (`prior_state`, `configuration`, `variables`, what
 * `planned_values` holds, …), so that most real plans fit into a request. Analysing either gives the same result.
 *
 * One byte scan, which also tells whether the text is a plan: whole and well-formed JSON, nested at most 200 deep, the
 * members of a plan, a known format version, the number of changes. It does not look inside entries: one that is not as
 * Terraform writes it is found by `createPlanReader` alone.
 *
 * @returns UTF-8, whatever the encoding was, without the wrapper's lines; what is kept is kept byte by byte
 * @throws PlanError saying what was found and what to run instead
 */
export function compactPlan(bytes: Uint8Array, limits: PlanLimits = {}): Uint8Array {
  const handler = new CompactHandler(limits);
  const source = createSource(handler, Number.POSITIVE_INFINITY);
  source.write(bytes);
  source.end();
  return handler.finish();
}

class CompactHandler implements ScanHandler {
  private readonly members: PlanMembers;
  private readonly parts: Buffer[] = [];
  private name = '';
  private entryName = '';
  private isScalar = false;
  /** The closing bracket of the member whose entries are being kept one by one. */
  private closing: ']' | '}' | null = null;
  private separator = '';

  constructor(limits: PlanLimits) {
    this.members = new PlanMembers(BUILDS_NOTHING, limits);
  }

  key(depth: number, text: CapturedText): void {
    if (depth === 1) this.name = parseString(text);
    else if (this.closing !== null) this.entryName = parseString(text);
    this.members.key(depth, text);
  }

  begin(depth: number, kind: ValueKind): boolean {
    const isScalar = this.members.begin(depth, kind);
    if (depth !== 1) return this.closing !== null;
    this.isScalar = isScalar;
    if (isScalar || kind === 'scalar' || !ENTRY_KINDS.has(this.name)) return SCALARS.has(this.name) || isScalar;
    this.closing = kind === 'array' ? ']' : '}';
    this.separator = '';
    this.keepMember(Buffer.from(kind === 'array' ? '[' : '{'));
    return false;
  }

  end(depth: number, at: number, text: CapturedText | null): void {
    if (depth === 2) {
      if (text !== null) this.keepEntry(text.bytes);
      this.members.end(depth, at, null);
      return;
    }
    if (depth !== 1) return;
    this.members.end(depth, at, this.isScalar ? text : null);
    if (this.closing !== null) this.parts.push(Buffer.from(this.closing));
    else if (text !== null) this.keepMember(text.bytes);
    else if (MARKS.has(this.name)) this.keepMember(EMPTY_OBJECT);
    this.closing = null;
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
