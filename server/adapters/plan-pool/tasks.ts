/** What crosses the border between the event loop and the plan threads; everything here can be cloned or transferred. */

export interface IntakeTask {
  task: 'intake';
  raw: Uint8Array;
}

export interface AnalyzeTask {
  task: 'analyze';
  payload: Uint8Array;
  noise_key: Uint8Array;
}

export interface Fault {
  error_class: 'invalid_plan_json' | 'unsupported_plan_version';
  message: string;
}

export type IntakeReply =
  | { body: unknown; plan: { payload: Uint8Array } | { fault: Fault } | null }
  /** The body is no JSON we accept. */
  | { refused: { error_class: string; message: string } };

export type AnalyzeReply =
  | { text: string; provider: 'aws' | 'gcp' | 'azure' | null; resource_count: number }
  | { fault: Fault };
