import type { CapturedText } from '../json/capture.ts';
import type { ValueKind } from '../json/scan.ts';
import { parseText } from '../json/text.ts';
import type { ContainerReader } from '../json/walker.ts';
import { isObject } from '../lib/is-object.ts';
import type { Delivery } from './delivery.ts';
import { StateError } from './errors.ts';
import { SHOWN_FORMAT } from './instance.ts';
import { InstanceReader } from './instance-reader.ts';
import { collectTexts } from './marks.ts';
import type { Entry } from './members.ts';

/** The object `values` in the output of `terraform show -json`. */
export class ValuesReader implements ContainerReader {
  private readonly delivery: Delivery;
  private readonly names = new OwnNames('values');

  constructor(delivery: Delivery) {
    this.delivery = delivery;
  }

  key(name: string): void {
    this.names.enter(name, ['root_module', 'outputs']);
  }

  child(kind: ValueKind): ContainerReader | 'skip' {
    if (this.names.current === 'root_module') return enterModule(this.delivery, kind, 'root_module');
    if (this.names.current === 'outputs' && kind === 'object') return new OutputsReader(this.delivery);
    return 'skip';
  }
}

function enterModule(delivery: Delivery, kind: ValueKind, place: string): ContainerReader | 'skip' {
  if (kind === 'object') return new ModuleReader(delivery, place);
  delivery.tally.fail(place, 'it is not an object');
  return 'skip';
}

class ModuleReader implements ContainerReader {
  private readonly delivery: Delivery;
  private readonly place: string;
  private readonly names: OwnNames;

  constructor(delivery: Delivery, place: string) {
    this.delivery = delivery;
    this.place = place;
    this.names = new OwnNames(place);
  }

  key(name: string): void {
    this.names.enter(name, ['resources', 'child_modules']);
  }

  child(kind: ValueKind): ContainerReader | 'skip' {
    const { current } = this.names;
    if (current !== 'resources' && current !== 'child_modules') return 'skip';
    const place = `${this.place}.${current}`;
    if (kind === 'array') {
      return current === 'resources'
        ? new ShownResourcesReader(this.delivery, place)
        : new ChildModulesReader(this.delivery, place);
    }
    this.delivery.tally.fail(place, 'it is not a list');
    return 'skip';
  }
}

/** Knows the place of each item of a list. */
abstract class ListReader implements ContainerReader {
  protected readonly delivery: Delivery;
  private readonly place: string;
  private index = -1;

  constructor(delivery: Delivery, place: string) {
    this.delivery = delivery;
    this.place = place;
  }

  child(kind: ValueKind): ContainerReader | 'skip' {
    this.index += 1;
    return this.item(kind, `${this.place}[${this.index}]`);
  }

  protected abstract item(kind: ValueKind, place: string): ContainerReader | 'skip';
}

class ChildModulesReader extends ListReader {
  protected item(kind: ValueKind, place: string): ContainerReader | 'skip' {
    return enterModule(this.delivery, kind, place);
  }
}

class ShownResourcesReader extends ListReader {
  protected item(kind: ValueKind, place: string): ContainerReader | 'skip' {
    if (kind === 'object')
      return new InstanceReader(this.delivery, SHOWN_FORMAT, (members) => readAddress(members) ?? place);
    this.delivery.tally.fail(place, 'it is not an object');
    return 'skip';
  }
}

function readAddress(members: Entry): string | undefined {
  const address = members.get('address');
  return typeof address === 'string' ? address : undefined;
}

/** The outputs of either format: counted, and the texts of sensitive ones are secrets. */
export class OutputsReader implements ContainerReader {
  private readonly delivery: Delivery;

  constructor(delivery: Delivery) {
    this.delivery = delivery;
  }

  child(): 'capture' {
    return 'capture';
  }

  captured(text: CapturedText | null): void {
    const output = text === null ? null : parseText(text);
    const sensitive = isObject(output) && output['sensitive'] === true;
    this.delivery.tally.addOutput(sensitive);
    if (!isObject(output) || !sensitive) return;
    const texts: string[] = [];
    collectTexts(output['value'] ?? null, (found) => texts.push(found));
    this.delivery.scrubber.addMarked(texts);
  }
}

/** Follows the members of an object, and rejects a second one of those that are read. */
class OwnNames {
  current = '';
  private readonly place: string;
  private readonly seen = new Set<string>();

  constructor(place: string) {
    this.place = place;
  }

  enter(name: string, known: readonly string[]): void {
    this.current = name;
    if (!known.includes(name)) return;
    if (this.seen.has(name)) {
      throw new StateError(
        'invalid_state_json',
        `${this.place} has the member "${name}" twice, so it is not clear which one counts. Use the unmodified output of \`terraform show -json\`.`,
      );
    }
    this.seen.add(name);
  }
}
