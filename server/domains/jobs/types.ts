import type { Db } from '../../db/index.ts';
import type { ErrorClass } from '../../lib/error-classes.ts';

export type JobStatus = 'pending' | 'running' | 'done' | 'error';

export type JobKind = 'analyze' | 'fix' | 'drift-narrative' | 'iac-gen';

export interface LlmJob {
  id: string;
  org_id: string;
  kind: JobKind;
  status: JobStatus;
  scan_run_id: string | null;
  payload_key: string | null;
  /** Of a fix: the fingerprint of the pattern. */
  subject: string | null;
  error: string | null;
  error_class: string | null;
  attempts: number;
  created_at: Date;
  finished_at: Date | null;
}

/** A job while this process holds it: `attempts` is the fence, a later claim makes this one's writes void. */
export type Claim = LlmJob;

/** Why a job ends in error, in words for people. */
export interface Failure {
  error_class: ErrorClass;
  message: string;
}

/** What is left to do once the work is done. */
export interface Finished {
  is_billed: boolean;
  /** JSON text kept with the job; none where its result stands elsewhere. */
  result?: string;
  /** In the transaction that ends the job. */
  write(trx: Db, finished_at: Date): Promise<void>;
}

/** One kind of job. */
export interface JobHandler {
  /** In the transaction that takes the job. */
  begin(trx: Db, claim: Claim): Promise<void>;
  /** @throws whatever a later attempt may get over */
  run(claim: Claim, signal: AbortSignal): Promise<Finished | Failure>;
  /** In the transaction that ends the job in error. */
  fail(trx: Db, claim: Claim, failure: Failure): Promise<void>;
  /** JSON text of the result of a job that is done; read from the job itself unless given. */
  findResult?(org_id: string, job: LlmJob): Promise<string | null>;
}
