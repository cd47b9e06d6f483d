import { normalizeOutput } from '../changes/normalize.ts';
import type { OutputChange } from '../model/result.ts';
import type { RawChange } from '../plan/types.ts';
import type { Redactor } from '../redact/redactor.ts';
import { holdsSecret, isSecretName } from '../redact/secrets.ts';
import { compareText } from './ranking.ts';
import { shortenValue } from './shorten.ts';

/** A text without blanks, slashes and colons, which names of places and references have. */
const IS_OPAQUE = /^[^\s/:]{8,200}$/;
/** openapi.yaml, AnalyzeResult.output_changes */
const MAX_OUTPUTS = 200;

export interface ShownOutputs {
  count: number;
  is_secret: boolean;
}

/** Collects changed outputs; for duplicate names, the last one wins. */
export class Outputs {
  private readonly changed = new Map<string, OutputChange>();
  private readonly redactor: Redactor;
  /** Outputs that show a secret, and whether people have seen other values of them without the mark before. */
  private readonly shown = new Map<string, 'first' | 'again'>();

  constructor(redactor: Redactor) {
    this.redactor = redactor;
  }

  read(name: string, raw: RawChange): void {
    const output = normalizeOutput(name, raw);
    this.redactor.observeOutput(output, raw);
    if (losesMark(raw)) this.shown.set(name, 'first');
    else if (showsNewSecret(name, raw)) this.shown.set(name, (raw.before ?? null) === null ? 'first' : 'again');
    else this.shown.delete(name);
    if (output.action === 'no-op') this.changed.delete(name);
    else this.changed.set(name, output);
  }

  /** How many outputs show what should be marked as sensitive, and whether one named like a secret does so for the first time. */
  countShown(): ShownOutputs {
    const isFirst = ([name, how]: [string, string]) => how === 'first' && isSecretName([name]);
    return { count: this.shown.size, is_secret: [...this.shown].some(isFirst) };
  }

  /** Sorted by name, redacted, at most 200. */
  present(): OutputChange[] {
    const first = [...this.changed.values()].sort((a, b) => compareText(a.name, b.name)).slice(0, MAX_OUTPUTS);
    return first.map((output) => this.presentOne(output));
  }

  private presentOne(output: OutputChange): OutputChange {
    const clean = this.redactor.redactOutput(output);
    const name = this.redactor.redactText(output.name);
    return { ...clean, name, before: shortenValue(clean.before), after: shortenValue(clean.after) };
  }
}

function losesMark({ before_sensitive, after_sensitive, after }: RawChange): boolean {
  return before_sensitive === true && after_sensitive !== true && after !== null && after !== undefined;
}

/** A new output, or one with another value, that is named like a secret and holds a text that looks like one. */
function showsNewSecret(name: string, { before, after, after_sensitive }: RawChange): boolean {
  if (after_sensitive === true || typeof after !== 'string' || before === after) return false;
  return holdsSecret(after) || (isSecretName([name]) && IS_OPAQUE.test(after));
}
