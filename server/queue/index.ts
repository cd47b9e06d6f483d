export { openQueueBackend, type QueueBackend } from './backend.ts';
export { enqueue, outboxSweeps } from './outbox.ts';
export { startRelay } from './relay.ts';
export { startSweeps } from './sweeps.ts';
export type { JobDefinition, JobPayload, QueueName, Stoppable, Sweep, Turn } from './types.ts';
export { startWorkers } from './workers.ts';
