import { UnreadableError } from './errors.ts';
import type { MarkedInstance } from './instance.ts';
import { createStateScrubber, type StateScrubber } from './scrub.ts';
import { Tally } from './tally.ts';
import type { StateSink } from './types.ts';

export const TOO_LARGE = 'it is larger than the limit of one entry';

/** Delivers each instance to the sink, or counts it as a failure. */
export class Delivery {
  readonly tally = new Tally();
  readonly scrubber: StateScrubber = createStateScrubber();
  private readonly sink: StateSink;

  constructor(sink: StateSink) {
    this.sink = sink;
  }

  /**
   * @param findPlace names the entry in the list of failures
   * @param read throws UnreadableError if the entry cannot be read
   */
  deliver(findPlace: () => string, read: () => MarkedInstance): void {
    let instance: MarkedInstance;
    try {
      instance = read();
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      this.tally.fail(findPlace(), error.message);
      return;
    }
    this.tally.add(instance.facts);
    this.scrubber.addMarked(instance.marked);
    this.sink.instance(instance.facts, () => this.readValues(instance));
  }

  private readValues({ facts, attributes, identity, marked }: MarkedInstance) {
    const clean = (values: typeof attributes) => this.scrubber.clean(facts.type, values, marked);
    return { attributes: clean(attributes), identity: identity === null ? null : clean(identity) };
  }
}
