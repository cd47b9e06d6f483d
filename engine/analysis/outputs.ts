import { normalizeOutput } from '../changes/normalize.ts';
import type { OutputChange } from '../model/result.ts';
import type { RawChange } from '../plan/types.ts';
import type { Redactor } from '../redact/redactor.ts';
import { isSecretName } from '../redact/secrets.ts';
import { compareText } from './ranking.ts';
import { shortenValue } from './shorten.ts';

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
  /** Outputs that were marked as sensitive before and are not after. */
  private readonly shown = new Set<string>();

  constructor(redactor: Redactor) {
    this.redactor = redactor;
  }

  read(name: string, raw: RawChange): void {
    const output = normalizeOutput(name, raw);
    this.redactor.observeOutput(output, raw);
    if (losesMark(raw)) this.shown.add(name);
    else this.shown.delete(name);
    if (output.action === 'no-op') this.changed.delete(name);
    else this.changed.set(name, output);
  }

  /** How many outputs are no longer marked as sensitive, and whether one of them is named like a secret. */
  countShown(): ShownOutputs {
    return { count: this.shown.size, is_secret: [...this.shown].some((name) => isSecretName([name])) };
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
