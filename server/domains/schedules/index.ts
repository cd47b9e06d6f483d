export { scheduleParts } from './parts.ts';
export { createSchedules, type Schedules } from './service.ts';
