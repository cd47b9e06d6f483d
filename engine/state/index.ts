/**
 * Public API for states of Terraform and OpenTofu. Separate from the engine's main API, because an analysis of a plan
 * never loads it.
 */
export { StateError, type StateErrorClass } from './errors.ts';
export { createStateReader, type StateReader } from './reader.ts';
export type * from './types.ts';
