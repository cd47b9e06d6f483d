import { normalizeOutput } from '../changes/normalize.ts';
import type { OutputChange } from '../model/result.ts';
import type { RawChange } from '../plan/types.ts';
import type { Redactor } from '../redact/redactor.ts';
import { compareText } from './ranking.ts';
import { shortenValue } from './shorten.ts';

/** openapi.yaml, AnalyzeResult.output_changes */
const MAX_OUTPUTS = 200;

/** Collects changed outputs; for duplicate names, the last one wins. */
export class Outputs {
  private readonly changed = new Map<string, OutputChange>();
  private readonly redactor: Redactor;

  constructor(redactor: Redactor) {
    this.redactor = redactor;
  }

  read(name: string, raw: RawChange): void {
    const output = normalizeOutput(name, raw);
    this.redactor.observeOutput(output, raw);
    if (output.action === 'no-op') this.changed.delete(name);
    else this.changed.set(name, output);
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
