/** Public API for drift. Separate from the engine's main API, because an analysis of a plan never loads it. */
export * from './ignore.ts';
