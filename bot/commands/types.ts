import type { Dialect, PlanAnalysis } from '../../engine/index.ts';
import type { Client, Schemas } from '../../sdk/src/index.ts';

/** Duration of a suppression. */
export type Duration = Schemas['SuppressionDuration'];

/** A parsed command. Fingerprints have 8 to 32 lowercase hex digits. */
export type Command =
  | { verb: 'help' }
  | { verb: 'explain'; address: string }
  | { verb: 'noise' }
  | { verb: 'suppress'; fingerprint: string; duration: Duration; reason: string }
  | { verb: 'fix'; fingerprint: string }
  | { verb: 'rescan' }
  | { verb: 'quiet'; on: boolean };

/** An invalid command: raw text that explains what is wrong and what to write. */
export interface InvalidCommand {
  unknown: string;
}

/** A plan of the pull request, identified by its key. */
export interface CommandPlan {
  key: string;
  /** null until there is a result. */
  analysis: PlanAnalysis | null;
}

/** The data that answers are based on. */
export interface CommandContext {
  /** Its API key can read and create analyses, and nothing else. */
  dpa: Client;
  org: { id: string; slug: string };
  dialect: Dialect;
  plans: readonly CommandPlan[];
}

export interface CommandReply {
  /** Raw text: the command. */
  title: string;
  /** Safe Markdown of at most 8,000 UTF-8 bytes. */
  body: string;
  /** What the caller of `answer` has to do. */
  effect: 'rescan' | 'quiet' | 'unquiet' | null;
}
