import { PlanError } from '../../../engine/index.ts';
import type { Fault } from './tasks.ts';

/** The fault of a plan that the engine rejected; undefined for every other error. */
export function toPlanFault(error: unknown): Fault | undefined {
  return error instanceof PlanError ? { error_class: error.error_class, message: error.message } : undefined;
}
