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
