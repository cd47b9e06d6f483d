import type { Dialect, PlanAnalysis } from '../../engine/index.ts';
import type { Client, Schemas } from '../../sdk/src/index.ts';

/** How long a suppression may hold. */
export type Duration = Schemas['SuppressionDuration'];

/** What somebody asks for in the first line of a comment. Fingerprints have 8 to 32 lower-case hex digits. */
export type Command =
  | { verb: 'help' }
  | { verb: 'explain'; address: string }
  | { verb: 'noise' }
  | { verb: 'suppress'; fingerprint: string; duration: Duration; reason: string }
  | { verb: 'fix'; fingerprint: string }
  | { verb: 'rescan' }
  | { verb: 'quiet'; on: boolean };

/** What is none of our commands: raw text that says why, and what to write. */
export interface InvalidCommand {
  unknown: string;
}

/** A plan of the pull request, by what tells it apart from the others. */
export interface CommandPlan {
  key: string;
  /** null while there is no result. */
  analysis: PlanAnalysis | null;
}

/** What an answer may be made of. */
export interface CommandContext {
  /** With a key that may read and make analyses, and nothing else. */
  dpa: Client;
  org: { id: string; slug: string };
  dialect: Dialect;
  plans: readonly CommandPlan[];
}

export interface CommandReply {
  /** Raw text: what was asked. */
  title: string;
  /** Inert Markdown of at most 8,000 UTF-8 bytes. */
  body: string;
  /** What is left for whoever asked for the answer to do. */
  effect: 'rescan' | 'quiet' | 'unquiet' | null;
}
