import { createStateReader, StateError, type StateInstance, type StateValues } from '../../engine/state/index.ts';
import { Failure } from './failure.ts';
import { describeInput, type InputKind, readInput } from './input.ts';
import { prepareForBytes } from './large-input.ts';

const STATE: InputKind = { noun: 'state', file: 'the file from `terraform state pull > state.json`' };

export interface ReadState {
  path: string;
  instances: { instance: StateInstance; values: StateValues }[];
  /** Resources that could not be read. */
  parse_failure_count: number;
}

/**
 * Reads a state with its values, without those that are secret.
 *
 * @throws Failure if it is not a state that can be read
 */
export async function readState(path: string): Promise<ReadState> {
  const instances: ReadState['instances'] = [];
  const reader = createStateReader({
    instance: (instance, readValues) => instances.push({ instance, values: readValues() }),
  });
  try {
    let bytes = 0;
    for await (const chunk of readInput(path, STATE)) {
      bytes += chunk.length;
      prepareForBytes(bytes);
      reader.write(chunk);
    }
    const { parse_failure_count } = reader.end();
    const redacted = instances.map(({ instance, values }) => ({
      instance,
      values: redactValues(reader.redact, values),
    }));
    return { path, instances: redacted, parse_failure_count };
  } catch (error) {
    if (error instanceof StateError) throw new Failure(`${describeInput(path)}: ${error.message}`);
    throw error;
  }
}

/** Identifiers stay, because they are never secret and finding objects depends on them. */
function redactValues(redact: <T extends object>(value: T) => T, values: StateValues): StateValues {
  return { ...values, attributes: redact(values.attributes) };
}
