/** The signed state of the audit log of an organization. @see openapi.yaml, AuditCheckpoint */
export interface Checkpoint {
  org_id: string;
  /** Number of entries. */
  size: number;
  /** Root of the tree over all entries, 64 lowercase hex digits. */
  root_hash: string;
  /** Hash of the last entry. */
  head_hash: string;
  /** The signed note. */
  note: string;
  created_at: Date;
}

/** A tree over an intact log, before it is signed. */
export interface LogTree extends Pick<Checkpoint, 'size' | 'root_hash' | 'head_hash'> {
  /** What a larger tree continues from. */
  subtrees: readonly string[];
  /** Whether it only appends entries to what was signed before. */
  is_continuation: boolean;
}

/** Where an organization wants its checkpoints. */
export interface CheckpointSettings {
  /** Part of the public address; null if there is none. */
  public_handle: string | null;
  /** The server that receives each checkpoint. */
  webhook_config_id: string | null;
}

/** A bucket of the organization with Object Lock. */
export interface BucketTarget {
  kind: 's3';
  bucket: string;
  region: string;
  /** Address of an S3-compatible store; null for AWS. */
  endpoint: string | null;
  folder: string;
  lock_mode: 'governance' | 'compliance';
  lock_days: number;
  /** With whose credentials it is reached; null: with an access key. */
  cloud_account_id: string | null;
  access_key_id: string | null;
}

/** A repository of the organization. */
export interface RepositoryTarget {
  kind: 'git';
  /** Names the repository, and has the token. */
  webhook_config_id: string;
  /** null: the default branch. */
  branch: string | null;
  folder: string;
}

export type Target = BucketTarget | RepositoryTarget;

/** Where else the organization keeps its checkpoints, and what has arrived there. */
export interface Destination {
  id: string;
  org_id: string;
  target: Target;
  /** The smallest size that is not delivered. */
  next_size: number;
  /** The newest checkpoint that has arrived. */
  delivered_size: number | null;
  delivered_at: Date | null;
  /** Why the last attempt failed; null if it did not. */
  last_error: string | null;
  failed_at: Date | null;
  failures: number;
  /** When the next attempt is made, if there is a checkpoint to deliver. */
  due_at: Date;
  created_at: Date;
  updated_at: Date;
}

/** A destination did not take a file. The message says what to do, and has no text from the other side. */
export class DestinationFailure extends Error {
  override readonly name = 'DestinationFailure';
  /** How long the other side asked to wait. */
  readonly retry_after_s: number | null;

  constructor(message: string, retry_after_s: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.retry_after_s = retry_after_s;
  }
}
