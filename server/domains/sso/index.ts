export { ssoParts } from './parts.ts';
export { createSso } from './service.ts';
