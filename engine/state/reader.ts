import { createSource } from '../json/source.ts';
import { Walker } from '../json/walker.ts';
import { Delivery } from './delivery.ts';
import { STATE_ERRORS } from './refusals.ts';
import { DocumentReader } from './root.ts';
import type { StateLimits, StateSink, StateSummary } from './types.ts';

/** Larger than real instances, and small enough that a hostile one does not exhaust the memory of a process. */
const MAX_ENTRY_BYTES = 16 * 1_048_576;

export interface StateReader {
  /** @param chunk the next bytes, split at any position; the caller may reuse it afterward */
  write(chunk: Uint8Array): void;
  end(): StateSummary;
  /**
   * Removes from a JSON object or list every secret that was found anywhere in the state, so also secrets of instances that come later
   * in the file. Call it after `end` with the values that you store. Returns the same value if it contains none.
   */
  redact<T extends object>(value: T): T;
}

/**
 * Reads a Terraform or OpenTofu state in chunks with constant memory: a state file of format 4, or the output of
 * `terraform show -json` without a plan. Only one instance is parsed at a time.
 *
 * `write` and `end` throw StateError when the text is not such a state, possibly after some instances were delivered. An
 * instance that cannot be read is counted in the summary, and the others are read.
 */
export function createStateReader(sink: StateSink, limits: StateLimits = {}): StateReader {
  const delivery = new Delivery(sink);
  const document = new DocumentReader(delivery);
  const walker = new Walker(document);
  const source = createSource(walker, STATE_ERRORS, limits.max_entry_bytes ?? MAX_ENTRY_BYTES);

  function write(chunk: Uint8Array): void {
    source.write(chunk);
    walker.retain();
  }

  function end(): StateSummary {
    source.end();
    return { ...document.root.finish(), ...delivery.tally.result() };
  }

  return { write, end, redact: delivery.scrubber.redact };
}
