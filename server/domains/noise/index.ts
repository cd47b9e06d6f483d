export { noiseParts } from './parts.ts';
export { COUNTED_ADDRESSES } from './patterns-service.ts';
export { createNoise, type Noise } from './service.ts';
export type { Pattern as NoisePattern } from './types.ts';
