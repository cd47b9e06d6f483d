import { PlanError } from '../../../engine/index.ts';
import type { PlanFault } from './tasks.ts';

/** The fault of a plan that the engine rejected; undefined for every other error. */
export function toPlanFault(error: unknown): PlanFault | undefined {
  return error instanceof PlanError ? { error_class: error.error_class, message: error.message } : undefined;
}
