import type { MessagePort } from 'node:worker_threads';

/** What a state says about itself, and what could be read of it. */
export interface StateFacts {
  /** Managed resources. */
  resource_count: number;
  /** Resources that could not be read. */
  parse_failure_count: number;
  serial: number | null;
  lineage: string | null;
  terraform_version: string | null;
}

/** Reads the bytes of one state in chunks of any size; runs on the thread. */
export interface StateParser {
  /** @throws StateReadError */
  write(chunk: Uint8Array): void;
  /** @throws StateReadError if the state is not complete */
  end(): StateFacts;
  /** After the end: removes from a kept resource the secrets that were found anywhere in the state. */
  redact(resource: object): object;
}

/** @param keep is called for each resource, without secrets, in the order of the state */
export type CreateStateParser = (keep: (resource: object) => void) => StateParser;

export interface PooledState extends StateFacts {
  /** Lower-case hex of SHA-256 over all bytes. */
  content_hash: string;
  /** One resource per line as JSON, compressed with Brotli. */
  resources: Uint8Array;
}

/** Why bytes are not a readable state; the message says what they are and what to do, and never quotes them. */
export class StateReadError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StateReadError';
  }
}

/** The thread asks for each chunk through the port, so that no more of the state is in memory than it is reading. */
export interface StateTask {
  task: 'read-state';
  port: MessagePort;
}

/** Answers a request for a chunk; null after the last one. */
export type ChunkMessage = { chunk: Uint8Array | null };

export type StateReply = PooledState | { refused: string };
