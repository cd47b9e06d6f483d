export { stateSourceParts } from './parts.ts';
export { SEALED_STATE_CONFIGS } from './seals.ts';
export { createStateSources, type StateSources } from './service.ts';
export type {
  AssertAllowed,
  OpenedAccount,
  ReadState,
  ReadStateBytes,
  StateAccounts,
  StateSourceKind,
} from './types.ts';
