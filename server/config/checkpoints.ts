import { z } from 'zod';
import { readEd25519Keys } from '../lib/ed25519-keys.ts';
import { whole } from './values.ts';

/** Environment variables of the signed checkpoints of audit logs. */
export const CHECKPOINT_VARIABLES = {
  CHECKPOINT_ORIGIN: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.:-]{0,252}(?:\/[A-Za-z0-9._~-]{1,63}){0,4}$/,
      'must be a host with a path, such as dpa.example.com/audit',
    )
    .optional(),
  CHECKPOINT_SIGNING_KEY: z.string().refine(isEd25519, 'must be Ed25519 private keys as PEM').optional(),
  CHECKPOINT_LOCK_DAYS: whole(0, 36_500).default(0),
};

type Variables = z.infer<z.ZodObject<typeof CHECKPOINT_VARIABLES>>;

/** Problems that no single variable shows; invalid values count as set. */
export function checkpointContradictions(
  given: Partial<Record<keyof Variables | 'BLOB_S3_BUCKET', unknown>>,
): string[] {
  const { CHECKPOINT_ORIGIN: origin, CHECKPOINT_SIGNING_KEY: key, CHECKPOINT_LOCK_DAYS: days = 0 } = given;
  const rules: [boolean, string][] = [
    [
      (origin === undefined) !== (key === undefined),
      'CHECKPOINT_ORIGIN and CHECKPOINT_SIGNING_KEY must be set together',
    ],
    [
      Number(days) > 0 && given.BLOB_S3_BUCKET === undefined,
      'CHECKPOINT_LOCK_DAYS also needs BLOB_S3_BUCKET: only a bucket with S3 Object Lock can lock copies',
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, message]) => message);
}

/** Called after checkpointContradictions found no problem. `signing` is null if nothing is signed. */
export function checkpointSettings(given: Variables) {
  const { CHECKPOINT_ORIGIN: origin, CHECKPOINT_SIGNING_KEY: key, CHECKPOINT_LOCK_DAYS: lock_days } = given;
  const signing = origin === undefined || key === undefined ? null : { origin, signing_key: key };
  return { signing, lock_days };
}

function isEd25519(text: string): boolean {
  try {
    return readEd25519Keys(text).length > 0;
  } catch {
    return false;
  }
}
