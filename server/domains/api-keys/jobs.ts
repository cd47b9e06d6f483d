import type { Sweep } from '../../queue/index.ts';
import type { ApiKeys } from './service.ts';

const HOUR_MS = 3_600_000;

export function apiKeySweeps(apiKeys: ApiKeys): Sweep[] {
  return [{ name: 'api-keys.delete-ended', every_ms: HOUR_MS, run: apiKeys.deleteEnded }];
}
