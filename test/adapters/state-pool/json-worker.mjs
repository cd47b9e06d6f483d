/** Reads states with JSON.parse, on a thread: everything but the reader of the engine. */
import { readState } from '../../../dist/server/adapters/state-pool/read.js';
import { StateReadError } from '../../../dist/server/adapters/state-pool/types.js';

function createParser(keep) {
  const chunks = [];
  return {
    write(chunk) {
      chunks.push(chunk);
      if (Buffer.from(chunk).includes('"loop"')) for (;;);
      if (Buffer.from(chunk).includes('"fault"')) throw new Error('a bug of the reader');
    },
    end() {
      const state = parse(Buffer.concat(chunks));
      for (const resource of state.resources) keep(resource);
      const { serial, lineage, terraform_version } = state;
      return { resource_count: state.resources.length, parse_failure_count: 0, serial, lineage, terraform_version };
    },
    redact: (resource) => resource,
  };
}

function parse(bytes) {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new StateReadError('this is not a state');
  }
}

export default ({ port }) => readState(port, createParser);
