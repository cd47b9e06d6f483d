import type { EventRow } from './types.ts';

/** An event that waits for its row. */
export interface Waiting {
  row: Pick<EventRow, 'org_id'>;
}

export interface Batch<Event> {
  events: Event[];
  /** These are of one chain, which was held by somebody else when we came last. */
  suspect: boolean;
}

interface Chain<Event> {
  events: Event[];
  /** Somebody else held the chain when we came: it is tried alone, so that the others do not wait with it. */
  suspect: boolean;
  /** Not before this moment. */
  held_until: number;
}

/**
 * Events that wait, in the order in which they came, chain by chain. Chains take turns, so that a busy one does not
 * keep the others waiting.
 */
export class WriteQueue<Event extends Waiting> {
  readonly #chains = new Map<string | null, Chain<Event>>();
  readonly #max: number;
  #size = 0;
  #single = 0;
  #suspects_turn = false;

  /** @param max most events of one batch */
  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  add(event: Event): void {
    this.#chain(event.row.org_id).events.push(event);
    this.#size += 1;
  }

  /** Puts a batch back to where it was taken from. */
  giveBack(batch: readonly Event[]): void {
    const returned = new Map<string | null, Event[]>();
    for (const event of batch) {
      const events = returned.get(event.row.org_id);
      if (events === undefined) returned.set(event.row.org_id, [event]);
      else events.push(event);
    }
    for (const [id, events] of returned) this.#chain(id).events.unshift(...events);
    this.#size += batch.length;
  }

  drop(event: Event): void {
    const id = event.row.org_id;
    const chain = this.#chains.get(id);
    const index = chain?.events.indexOf(event) ?? -1;
    if (chain === undefined || index < 0) return;
    chain.events.splice(index, 1);
    this.#size -= 1;
    if (chain.events.length === 0) this.#chains.delete(id);
  }

  /** Has the chains of this batch tried alone until they go through, none of them before `until`. */
  suspect(batch: readonly Event[], until: number): void {
    for (const { row } of batch) {
      const chain = this.#chain(row.org_id);
      chain.suspect = true;
      chain.held_until = until;
    }
  }

  /** The chains of this batch went through. */
  trust(batch: readonly Event[]): void {
    for (const { row } of batch) {
      const chain = this.#chains.get(row.org_id);
      if (chain !== undefined) chain.suspect = false;
    }
  }

  /** Has the next so many events written one by one. */
  single(count: number): void {
    this.#single = count;
  }

  /** The next batch; empty when every chain is held. One chain alone where it is suspect. */
  take(now: number): Batch<Event> {
    const ready = [...this.#chains].filter(([, chain]) => chain.held_until <= now);
    const suspect = ready.find(([, chain]) => chain.suspect);
    const others = ready.filter(([, chain]) => !chain.suspect);
    const alone = suspect !== undefined && (this.#suspects_turn || others.length === 0);
    this.#suspects_turn = !alone;
    const events: Event[] = [];
    const max = this.#single > 0 ? 1 : this.#max;
    for (const [id, chain] of alone ? [suspect] : others) {
      if (events.length === max) break;
      events.push(...this.#takeFrom(id, chain, max - events.length));
    }
    if (this.#single > 0) this.#single -= events.length;
    return { events, suspect: alone };
  }

  /** When the first of the held chains may be tried again. */
  nextAt(): number {
    return Math.min(...[...this.#chains.values()].map((chain) => chain.held_until));
  }

  #takeFrom(id: string | null, chain: Chain<Event>, count: number): Event[] {
    const taken = chain.events.splice(0, count);
    this.#size -= taken.length;
    this.#chains.delete(id);
    // What is left goes to the end of the line.
    if (chain.events.length > 0) this.#chains.set(id, chain);
    return taken;
  }

  #chain(id: string | null): Chain<Event> {
    const known = this.#chains.get(id);
    if (known !== undefined) return known;
    const chain: Chain<Event> = { events: [], suspect: false, held_until: 0 };
    this.#chains.set(id, chain);
    return chain;
  }
}
