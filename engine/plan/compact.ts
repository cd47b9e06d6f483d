import type { CapturedText } from './capture.ts';
import { BUILDS_NOTHING } from './check.ts';
import { ENTRY_KINDS, PlanMembers, SCALARS } from './members.ts';
import type { ScanHandler, ValueKind } from './scan.ts';
import { createSource } from './source.ts';
import { parseString } from './text.ts';
import type { PlanLimits } from './types.ts';

/** Never read, but their presence tells what the text is: they stay, empty. */
const MARKS: ReadonlySet<string> = new Set(['planned_values', 'provider_schemas']);

/**
 * The same plan, checked as by `checkPlan`, without the members which the engine never reads (`prior_state`, `configuration`, `variables`, what
 * `planned_values` holds, …), so that most real plans fit into a request. Analysing either gives the same result.
 *
 * @returns UTF-8, whatever the encoding was, without the wrapper's lines; what is kept is kept byte by byte
 * @throws PlanError as `checkPlan` does
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
  private isScalar = false;

  constructor(limits: PlanLimits) {
    this.members = new PlanMembers(BUILDS_NOTHING, limits);
  }

  key(depth: number, text: CapturedText): void {
    if (depth === 1) this.name = parseString(text);
    this.members.key(depth, text);
  }

  begin(depth: number, kind: ValueKind): boolean {
    const isScalar = this.members.begin(depth, kind);
    if (depth !== 1) return false;
    this.isScalar = isScalar;
    return SCALARS.has(this.name) || ENTRY_KINDS.has(this.name);
  }

  end(depth: number, at: number, text: CapturedText | null): void {
    if (depth !== 1) return;
    this.members.end(depth, at, this.isScalar ? text : null);
    if (text !== null) this.keep(text.bytes);
    else if (MARKS.has(this.name)) this.keep(EMPTY_OBJECT);
  }

  private keep(value: Buffer): void {
    const before = this.parts.length === 0 ? '{' : ',';
    this.parts.push(Buffer.from(`${before}${JSON.stringify(this.name)}:`), value);
  }

  finish(): Uint8Array {
    this.members.finish();
    return Buffer.concat([...this.parts, Buffer.from('}')]);
  }
}

const EMPTY_OBJECT = Buffer.from('{}');
