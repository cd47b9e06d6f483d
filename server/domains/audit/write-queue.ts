import type { EventRow } from './types.ts';

/** An event that waits to be written. */
export interface Waiting {
  row: Pick<EventRow, 'org_id'>;
}

export interface Batch<Event> {
  events: Event[];
  /** The events of a chain that was locked at the last attempt. */
  suspect: boolean;
}

interface Chain<Event> {
  events: Event[];
  /** The chain was locked, so it is written alone and does not delay the others. */
  suspect: boolean;
  /** Earliest time of the next attempt. */
  held_until: number;
}

/** Waiting events of each chain in their order. Chains alternate, so a busy one does not delay the others. */
export class WriteQueue<Event extends Waiting> {
  readonly #chains = new Map<string | null, Chain<Event>>();
  readonly #max: number;
  #size = 0;
  #single = 0;
  #suspects_turn = false;

  /** @param max maximum number of events in one batch */
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

  /** Returns a batch to the front of its queues. */
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

  /** Writes the chains of this batch alone until they succeed, not before `until`. */
  suspect(batch: readonly Event[], until: number): void {
    for (const { row } of batch) {
      const chain = this.#chain(row.org_id);
      chain.suspect = true;
      chain.held_until = until;
    }
  }

  /** Marks the chains of this batch as successful. */
  trust(batch: readonly Event[]): void {
    for (const { row } of batch) {
      const chain = this.#chains.get(row.org_id);
      if (chain !== undefined) chain.suspect = false;
    }
  }

  /** Writes this number of following events one by one. */
  single(count: number): void {
    this.#single = count;
  }

  /** The next batch; empty if every chain is locked. A suspect chain is written alone. */
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

  /** Earliest time at which a locked chain can be retried. */
  nextAt(): number {
    return Math.min(...[...this.#chains.values()].map((chain) => chain.held_until));
  }

  #takeFrom(id: string | null, chain: Chain<Event>, count: number): Event[] {
    const taken = chain.events.splice(0, count);
    this.#size -= taken.length;
    this.#chains.delete(id);
    // The remainder goes to the end of the queue.
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
