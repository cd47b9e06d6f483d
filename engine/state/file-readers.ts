import type { CapturedText } from '../json/capture.ts';
import type { ValueKind } from '../json/scan.ts';
import { parseText } from '../json/text.ts';
import type { ContainerReader } from '../json/walker.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonValue } from '../model/result.ts';
import { writeAddress } from './address.ts';
import type { Delivery } from './delivery.ts';
import { StateError, UnreadableError } from './errors.ts';
import { createFileFormat, type InstanceFormat, type ResourceHeader } from './instance.ts';
import { InstanceReader } from './instance-reader.ts';
import type { Entry } from './members.ts';

/** The list `resources` of a state file (format 4). */
export class FileResourcesReader implements ContainerReader {
  private readonly delivery: Delivery;
  private index = -1;

  constructor(delivery: Delivery) {
    this.delivery = delivery;
  }

  child(kind: ValueKind): ContainerReader | 'skip' {
    this.index += 1;
    const place = `resources[${this.index}]`;
    if (kind === 'object') return new FileResourceReader(this.delivery, place);
    this.delivery.tally.fail(place, 'it is not an object');
    return 'skip';
  }
}

const HEADER_MEMBERS: ReadonlySet<string> = new Set(['module', 'mode', 'type', 'name', 'provider']);
/** Terraform writes these, and the module before them, before the instances. */
const REQUIRED_MEMBERS = ['mode', 'type', 'name', 'provider'] as const;

/**
 * One resource. Its instances are read one by one if they follow its other members, as in a file that Terraform wrote; in
 * a file whose members were sorted by a tool, they are read together at the end.
 */
class FileResourceReader implements ContainerReader {
  private readonly delivery: Delivery;
  private readonly place: string;
  private readonly header = new Map<string, string>();
  private member = '';
  private fault: string | null = null;
  private waiting: JsonValue[] | null = null;
  private hasInstances = false;
  private isStreamed = false;

  constructor(delivery: Delivery, place: string) {
    this.delivery = delivery;
    this.place = place;
  }

  key(name: string): void {
    this.member = name;
    if (!this.isStreamed || (!HEADER_MEMBERS.has(name) && name !== 'instances')) return;
    throw new StateError(
      'invalid_state_json',
      `${this.place} has the member "${name}" after its instances, so it is not clear what they are. Use the file as Terraform wrote it: \`terraform state pull > state.json\`.`,
    );
  }

  child(kind: ValueKind): ContainerReader | 'capture' | 'skip' {
    if (HEADER_MEMBERS.has(this.member)) return this.beginHeader(kind);
    if (this.member !== 'instances') return 'skip';
    this.hasInstances = true;
    if (kind !== 'array') {
      this.fault ??= 'its instances are not a list';
      return 'skip';
    }
    if (!REQUIRED_MEMBERS.every((name) => this.header.has(name))) return this.fault === null ? 'capture' : 'skip';
    this.isStreamed = true;
    return this.fault === null ? new FileInstancesReader(this.delivery, this.finishHeader()) : 'skip';
  }

  private beginHeader(kind: ValueKind): 'capture' | 'skip' {
    if (kind === 'scalar') return 'capture';
    this.fault ??= `its ${this.member} is not a text`;
    return 'skip';
  }

  captured(text: CapturedText | null): void {
    if (text === null) {
      this.fault ??= `its ${this.member} precede its name or are larger than the limit of one entry`;
      return;
    }
    const value = parseText(text);
    if (this.member === 'instances') this.waiting = value as JsonValue[];
    else if (typeof value === 'string') this.header.set(this.member, value);
    else if (value !== null || this.member !== 'module') this.fault ??= `its ${this.member} is not a text`;
  }

  close(): void {
    const missing = REQUIRED_MEMBERS.find((name) => name !== 'provider' && !this.header.has(name));
    const fault =
      this.fault ??
      (missing === undefined ? null : `it has no ${missing}`) ??
      (this.hasInstances ? null : 'it has no instances');
    if (fault !== null) {
      this.delivery.tally.fail(this.findAddress(), fault);
      return;
    }
    const reader = new FileInstancesReader(this.delivery, this.finishHeader());
    for (const entry of this.waiting ?? []) reader.deliver(entry);
  }

  private finishHeader(): ResourceHeader {
    const read = (name: string) => this.header.get(name) ?? '';
    const module = read('module');
    return {
      module: module === '' ? null : module,
      mode: read('mode'),
      type: read('type'),
      name: read('name'),
      provider: read('provider'),
    };
  }

  private findAddress(): string {
    return this.header.has('type') && this.header.has('name') ? writeHeader(this.finishHeader()) : this.place;
  }
}

function writeHeader({ module, mode, type, name }: ResourceHeader, index: string | number | null = null): string {
  return writeAddress({ module_address: module, mode: mode === 'data' ? 'data' : 'managed', type, name, index });
}

class FileInstancesReader implements ContainerReader {
  private readonly delivery: Delivery;
  private readonly header: ResourceHeader;
  private readonly format: InstanceFormat;
  private count = 0;

  constructor(delivery: Delivery, header: ResourceHeader) {
    this.delivery = delivery;
    this.header = header;
    this.format = createFileFormat(header);
  }

  child(kind: ValueKind): ContainerReader | 'skip' {
    this.count += 1;
    if (kind === 'object') return new InstanceReader(this.delivery, this.format, (members) => this.findPlace(members));
    this.delivery.tally.fail(this.findPlace(null), 'it is not an object');
    return 'skip';
  }

  /** Delivers an instance that is already parsed. */
  deliver(entry: JsonValue): void {
    this.count += 1;
    const members = isObject(entry) ? new Map(Object.entries(entry)) : null;
    this.delivery.deliver(
      () => this.findPlace(members),
      () => {
        if (members === null) throw new UnreadableError('it is not an object');
        const attributes = members.get('attributes');
        return this.format.read(members, isObject(attributes) ? () => attributes : null);
      },
    );
  }

  /** The address if the entry has an index key, else the number of the instance. */
  private findPlace(members: Entry | null): string {
    const index = members?.get('index_key');
    if (typeof index === 'string' || typeof index === 'number') return writeHeader(this.header, index);
    return `${writeHeader(this.header)} (instance ${this.count})`;
  }
}
