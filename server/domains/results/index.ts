export { resultParts } from './parts.ts';
export { createResults, type Results } from './service.ts';
