import type { CapturedText } from '../json/capture.ts';
import type { ValueKind } from '../json/scan.ts';
import { parseText } from '../json/text.ts';
import type { ContainerReader } from '../json/walker.ts';
import type { JsonValue } from '../model/result.ts';
import type { Delivery } from './delivery.ts';
import { assertShowVersion, recognizeFormat } from './documents.ts';
import { FileResourcesReader } from './file-readers.ts';
import { refuseDuplicate, refuseMember } from './refusals.ts';
import { OutputsReader, ValuesReader } from './show-readers.ts';
import type { StateSummary } from './types.ts';

type Header = Pick<StateSummary, 'format' | 'format_version' | 'terraform_version' | 'serial' | 'lineage'>;

const SCALARS: ReadonlySet<string> = new Set(['version', 'format_version', 'terraform_version', 'serial', 'lineage']);
const MAX_MEMBERS = 1000;
/** Names that are read or identify a document are shorter. */
const MAX_NAME = 100;

/** Reads the whole document: the only value outside of all containers. */
export class DocumentReader implements ContainerReader {
  readonly root: RootReader;

  constructor(delivery: Delivery) {
    this.root = new RootReader(delivery);
  }

  child(): ContainerReader {
    return this.root;
  }
}

/** Reads the top-level members of both formats; which one it is, is known only at the end. */
class RootReader implements ContainerReader {
  private readonly delivery: Delivery;
  private readonly members = new Set<string>();
  private readonly scalars = new Map<string, JsonValue>();
  /** The names that are read and whose value has the wrong type. */
  private readonly faults = new Map<string, string>();
  private member = '';

  constructor(delivery: Delivery) {
    this.delivery = delivery;
  }

  key(name: string): void {
    this.member = name;
    if (name.length > MAX_NAME) return;
    if (this.members.has(name)) throw refuseDuplicate(name);
    if (this.members.size === MAX_MEMBERS) throw refuseMember(`it has more than ${MAX_MEMBERS} members`);
    this.members.add(name);
  }

  child(kind: ValueKind): ContainerReader | 'capture' | 'skip' {
    const { member } = this;
    if (member === 'resources' && kind === 'array') return new FileResourcesReader(this.delivery);
    if (member === 'values' && kind === 'object') return new ValuesReader(this.delivery);
    if (member === 'outputs' && kind === 'object') return new OutputsReader(this.delivery);
    if (kind === 'scalar' && (SCALARS.has(member) || CONTAINERS.has(member))) return 'capture';
    if (SCALARS.has(member)) this.faults.set(member, 'is not a single value');
    else if (CONTAINERS.has(member)) this.faults.set(member, `is not ${CONTAINERS.get(member)}`);
    return 'skip';
  }

  captured(text: CapturedText | null): void {
    const value = text === null ? undefined : parseText(text);
    if (value === undefined) this.faults.set(this.member, 'is too large');
    else if (SCALARS.has(this.member)) this.scalars.set(this.member, value);
    else if (value !== null) this.faults.set(this.member, `is not ${CONTAINERS.get(this.member)}`);
  }

  /**
   * Returns the header. Call it after the end of the text.
   *
   * @throws StateError if the document is not a state, or its header is not valid
   */
  finish(): Header {
    const format = recognizeFormat(this.members, this.scalars.get('version'));
    const [fault] = this.faults;
    if (fault !== undefined) throw refuseMember(fault.join(' '));
    const terraform_version = this.text('terraform_version');
    if (format === 'state') {
      return { format, format_version: '4', terraform_version, serial: this.serial(), lineage: this.text('lineage') };
    }
    const format_version = this.text('format_version') ?? '';
    assertShowVersion(format_version);
    return { format, format_version, terraform_version, serial: null, lineage: null };
  }

  private text(name: string): string | null {
    const value = this.scalars.get(name) ?? null;
    if (value === null || typeof value === 'string') return value;
    throw refuseMember(`${name} is not a text`);
  }

  private serial(): number | null {
    const value = this.scalars.get('serial') ?? null;
    if (value === null || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)) return value;
    throw refuseMember('serial is not a whole number');
  }
}

/** The kinds of the members with entries. Go writes an empty one as null. */
const CONTAINERS: ReadonlyMap<string, string> = new Map([
  ['resources', 'a list'],
  ['values', 'an object'],
  ['outputs', 'an object'],
]);
