/** How many more scans an organization can have, while its runs are decided one after the other. */
export class Room {
  #left: number;

  /** @param limit -1 means no limit */
  constructor(limit: number) {
    this.#left = limit === -1 ? Number.POSITIVE_INFINITY : limit;
  }

  get left(): number {
    return this.#left;
  }

  take(count: number): void {
    this.#left -= count;
  }
}
