/** A bucket of an organization in which nobody can change or delete an object for some time (S3 Object Lock). */
import type { AwsAccess } from '../cloud/aws/keys.ts';

export interface BucketPlace {
  bucket: string;
  region: string;
  /** Address of an S3-compatible store; null for AWS. */
  endpoint: string | null;
}

/** `governance` can be lifted by those with a special permission, `compliance` by nobody. */
export type LockMode = 'governance' | 'compliance';

export interface ObjectLock {
  mode: LockMode;
  until: Date;
}

/** Every method throws BucketError, or the reason of the signal. */
export interface LockedBucket {
  /** Confirms that the bucket has Object Lock. */
  assertLock(signal: AbortSignal): Promise<void>;
  /**
   * Stores a text under a key that has none, and locks it. Stores nothing if the key has this text.
   *
   * @returns false if the key has another text
   */
  putOnce(key: string, text: string, options: { lock: ObjectLock; signal: AbortSignal }): Promise<boolean>;
}

export interface LockedBuckets {
  /** The name that cannot be used, and why, as the end of a sentence that starts with its field. */
  findRefusedName(place: BucketPlace): { field: string; reason: string } | undefined;
  open(place: BucketPlace, access: AwsAccess): LockedBucket;
}

/** Why an object was not stored, and what to do. The message never contains text from the other side. */
export class BucketError extends Error {
  override readonly name = 'BucketError';
}
