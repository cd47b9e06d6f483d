import { errorCode } from '../../lib/error-code.ts';
import { StorageUnavailable } from '../../lib/errors.ts';

/** Whether an error comes from the disk or the bucket: full, over quota, read-only, forbidden or unreachable. */
export function storageFault(cause: unknown): StorageUnavailable {
  const code = errorCode(cause) ?? (cause instanceof Error ? cause.name : 'UNKNOWN');
  return new StorageUnavailable('the object store cannot store or return data right now; try again later', {
    cause,
    code,
  });
}
