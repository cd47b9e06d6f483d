export { noiseSweeps } from './jobs.ts';
export { noiseRoutes } from './routes.ts';
export { createNoise, type Noise } from './service.ts';
