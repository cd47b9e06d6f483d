import { UnreadableError } from './errors.ts';
import type { ReadInstance } from './instance.ts';
import { createStateScrubber, readIdentifiers, type StateScrubber } from './scrub.ts';
import { Tally } from './tally.ts';
import type { StateSink, StateValues } from './types.ts';

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
  deliver(findPlace: () => string, read: () => ReadInstance): void {
    let instance: ReadInstance;
    try {
      instance = read();
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      this.tally.fail(findPlace(), error.message);
      return;
    }
    this.tally.add(instance.facts);
    this.sink.instance(instance.facts, () => this.readValues(instance));
  }

  private readValues({ facts, identity, readMarked }: ReadInstance): StateValues {
    const { attributes, marked } = readMarked();
    this.scrubber.addMarked(marked);
    return {
      identifiers: readIdentifiers(attributes, marked),
      attributes: this.scrubber.clean(facts.type, attributes, marked),
      identity: identity === null ? null : this.scrubber.clean(facts.type, identity, marked),
    };
  }
}
