import type { CapturedText } from '../json/capture.ts';
import type { ValueKind } from '../json/scan.ts';
import { parseText } from '../json/text.ts';
import type { ContainerReader } from '../json/walker.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { type Delivery, TOO_LARGE } from './delivery.ts';
import { UnreadableError } from './errors.ts';
import type { InstanceFormat } from './instance.ts';
import type { Entry } from './members.ts';

/**
 * Reads one instance. Its small members are parsed; the text of its attributes, which is most of a state, is parsed only
 * if the sink asks for it.
 */
export class InstanceReader implements ContainerReader {
  private readonly delivery: Delivery;
  private readonly format: InstanceFormat;
  private readonly findPlace: (members: Entry) => string;
  private readonly members = new Map<string, JsonValue>();
  private values: CapturedText | null = null;
  private fault: string | null = null;
  private member = '';

  /** @param findPlace names the instance in the list of failures */
  constructor(delivery: Delivery, format: InstanceFormat, findPlace: (members: Entry) => string) {
    this.delivery = delivery;
    this.format = format;
    this.findPlace = findPlace;
  }

  key(name: string): void {
    this.member = name;
  }

  child(kind: ValueKind): 'capture' | 'skip' {
    const { member, format } = this;
    if (member === format.values) this.values = null;
    if (member === format.values && kind === 'array') this.fault = `${member} is not an object`;
    return member === format.values || format.members.has(member) ? 'capture' : 'skip';
  }

  captured(text: CapturedText | null): void {
    if (text === null) this.fault = TOO_LARGE;
    else if (this.member === this.format.values && text.first_byte === OPEN_BRACE) this.values = text;
    else this.members.set(this.member, parseText(text));
  }

  retain(): void {
    this.values = this.values?.copy() ?? null;
  }

  close(): void {
    const { members, values, fault } = this;
    this.delivery.deliver(
      () => this.findPlace(members),
      () => {
        if (fault !== null) throw new UnreadableError(fault);
        return this.format.read(members, values === null ? null : () => parseText(values) as JsonObject);
      },
    );
  }
}

const OPEN_BRACE = 0x7b;
