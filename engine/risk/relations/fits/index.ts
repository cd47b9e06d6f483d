/** What must fit each other in a plan. */
import { BACKUP_FITS } from './backups.ts';
import { CLUSTER_FITS } from './clusters.ts';
import { QUEUE_FITS } from './queues.ts';
import { SERVICE_FITS } from './services.ts';
import type { Fit } from './types.ts';

export { SELF_FITS } from './self.ts';
export type { End, Fit, SelfFit } from './types.ts';

export const FITS: readonly Fit[] = [...QUEUE_FITS, ...SERVICE_FITS, ...BACKUP_FITS, ...CLUSTER_FITS];

/** Types of which the whole plan is needed. */
export const FIT_TYPES: ReadonlySet<string> = new Set(
  FITS.flatMap(({ one, other, looks_up = [] }) => [...one.types, ...other.types, ...looks_up]),
);
