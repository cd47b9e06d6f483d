/** Differences as the changes that would have made them, so that they are judged like a plan. */
import { normalizeChange } from '../changes/normalize.ts';
import { PathTemplates } from '../changes/path-template.ts';
import type { ResourceChange } from '../changes/types.ts';
import type { DocumentReader } from '../documents/reader.ts';
import type { ChangeNoise, JsonObject, JsonValue } from '../model/result.ts';
import { NO_RULES, type RuleBook } from '../model/rule-book.ts';
import { classifyNoise, type NoiseOptions } from '../noise/classify.ts';
import type { Comparison } from './compare.ts';
import type { Entry } from './state-index.ts';

export interface ChangeOptions {
  documents: DocumentReader;
  /** Rules of the organization: disabled noise rules, its own ones, and suppressions. */
  book: RuleBook;
  noise_key: Uint8Array | undefined;
}

/** A difference with what the comparison of plans says about it. */
export interface ClassifiedDifference {
  change: ResourceChange;
  noise: ChangeNoise;
}

type Facts = Pick<Entry, 'address' | 'type' | 'name' | 'index' | 'module_address' | 'provider_name'>;

export class Differences {
  private readonly templates = new PathTemplates();
  private readonly options: ChangeOptions;

  constructor(options: ChangeOptions) {
    this.options = options;
  }

  /** What the cloud changed; null if both sides mean the same. */
  findChange(facts: Facts, { sides }: Comparison): ClassifiedDifference | null {
    if (sides === null) return null;
    const change = this.normalize(facts, 'update', sides.before, sides.after);
    if (change.diffs.length === 0) return null;
    const noise = this.classify(change);
    if (isSuppressed(noise)) return { change, noise };
    change.diffs = change.diffs.filter((diff) => diff.noise === 'novel');
    if (noise.classification !== 'novel' || change.diffs.length === 0) return null;
    return { change, noise: this.findReversal(facts, sides) ?? noise };
  }

  /** A plan shows a drifted value the other way around: it would restore the value of the state. */
  private findReversal(facts: Facts, { before, after }: NonNullable<Comparison['sides']>): ChangeNoise | null {
    if (!this.options.book.hasSuppressions(facts.address)) return null;
    const noise = this.classify(this.normalize(facts, 'update', after, before));
    return isSuppressed(noise) ? noise : null;
  }

  toCreate(facts: Facts, after: JsonObject): ClassifiedDifference {
    const change = this.normalize(facts, 'create', null, after);
    return { change, noise: this.classify(change) };
  }

  toDelete(facts: Facts, before: JsonObject): ClassifiedDifference {
    const change = this.normalize(facts, 'delete', before, null);
    return { change, noise: this.classify(change) };
  }

  private normalize(facts: Facts, action: string, before: JsonValue, after: JsonValue): ResourceChange {
    const { address, type, name, index, module_address, provider_name } = facts;
    return normalizeChange(
      {
        ...{ address, type, name, mode: 'managed', provider_name },
        ...(index === null ? {} : { index }),
        ...(module_address === null ? {} : { module_address }),
        change: { actions: [action], before, after },
      },
      this.templates.root,
    );
  }

  private classify(change: ResourceChange): ChangeNoise {
    const { documents, book, noise_key } = this.options;
    const options: NoiseOptions = { documents, book };
    if (noise_key !== undefined) options.key = noise_key;
    return classifyNoise(change, options);
  }
}

/** All differences are noise, and a suppression says so. Other noise is not listed at all. */
function isSuppressed({ classification, suppression_id }: ChangeNoise): boolean {
  return classification === 'known_benign' && suppression_id !== null;
}

/** Rules and policies of an organization are about plans; only what it says about noise applies to drift. */
export function toDriftBook(book: RuleBook): RuleBook {
  return { ...NO_RULES, disabled_noise: book.disabled_noise, disabled_risk: book.disabled_risk };
}
