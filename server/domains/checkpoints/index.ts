export type { CheckpointCreation } from './create-service.ts';
export { checkpointParts } from './parts.ts';
export { SEALED_BUCKET_KEYS } from './seals.ts';
export { type Checkpoints, createCheckpoints } from './service.ts';
export type { SigningSettings } from './signer.ts';
export type { Checkpoint, LogTree } from './types.ts';
