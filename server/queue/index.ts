export { openQueueBackend, type QueueBackend } from './backend.ts';
export { startLoops } from './loops.ts';
export { enqueue, enqueueAll, outboxSweeps } from './outbox.ts';
export { startRelay } from './relay.ts';
export { startSweeps } from './sweeps.ts';
export type { EnqueueOptions, JobDefinition, JobPayload, Loop, Stoppable, Sweep } from './types.ts';
export { startWorkers } from './workers.ts';
