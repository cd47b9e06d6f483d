/** Runs on a worker thread, the only place of the service where states are parsed. */
import { createStateReader, StateError } from '../../../engine/state/index.ts';
import { markBegin } from '../../threads/thread-clock.ts';
import type { Marked } from '../../threads/threads.ts';
import { readState } from './read.ts';
import { type CreateStateParser, type StateParser, StateReadError, type StateReply, type StateTask } from './types.ts';

export default function run({ mark, port }: Marked<StateTask>): Promise<StateReply> {
  markBegin(mark);
  return readState(port, createParser);
}

/** Keeps managed resources, also those that Terraform still has to destroy; only the others are counted. */
const createParser: CreateStateParser = (keep): StateParser => {
  const reader = createStateReader({
    instance(instance, readValues) {
      if (instance.mode === 'managed') keep({ ...instance, ...readValues() });
    },
  });
  return {
    write: (chunk) => explain(() => reader.write(chunk)),
    end() {
      const summary = explain(() => reader.end());
      const { managed_count, deposed_count, parse_failure_count, serial, lineage, terraform_version } = summary;
      const resource_count = managed_count - deposed_count;
      return { resource_count, parse_failure_count, serial, lineage, terraform_version };
    },
    redact: (resource) => reader.redact(resource),
  };
};

function explain<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof StateError ? new StateReadError(error.message, { cause: error }) : error;
  }
}
