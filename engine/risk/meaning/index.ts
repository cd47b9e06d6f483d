/** Judges what no rule names: documents inside attributes, and updated arguments by what they do and how they move. */
import type { ResourceChange } from '../../changes/types.ts';
import type { DocumentReader } from '../../documents/reader.ts';
import { createWatchTest, findAttributeReasons, toMode } from '../attributes/index.ts';
import { Subject } from '../attributes/subject.ts';
import type { Path } from '../attributes/types.ts';
import { findDestinationReasons } from '../destinations/index.ts';
import { findDocumentReasons } from '../documents/index.ts';
import { unwrap } from '../generic-types/index.ts';
import type { AttributeFindings, PlanFacts } from '../types.ts';
import { findEffectReasons } from './arguments.ts';
import { findNewGrants } from './new-grants.ts';
import { findNewObject } from './new-objects.ts';

export interface MeaningOptions {
  facts: PlanFacts;
  /** Ids of rules that the org has turned off. */
  disabled: ReadonlySet<string>;
  /** Reads documents inside attributes; without it, they are not judged. */
  documents: DocumentReader | undefined;
  /** Paths that rules have judged; they are not judged again. */
  judged: readonly Path[];
  toPlanPath?: ((path: Path) => Path) | undefined;
}

export interface MeaningFindings extends AttributeFindings {
  /** The effect of every changed argument is known, and none weakens or redirects anything. */
  harmless: boolean;
}

/** Evaluates the arguments of one change that no rule has judged, and sets `direction` on their diffs. */
export function findMeaningReasons(change: ResourceChange, options: MeaningOptions): MeaningFindings {
  const mode = toMode(change);
  if (mode === null || mode === 'delete') return { reasons: [], weakening: null, judged: [], harmless: false };
  const { facts, disabled, documents, judged, toPlanPath } = options;
  const subject = new Subject(change, facts, mode, disabled, toPlanPath);
  const isWatched = createWatchTest(change.type);
  if (documents !== undefined) {
    const judgeEmbedded = (embedded: ResourceChange) =>
      findAttributeReasons(unwrap(embedded)?.change ?? embedded, facts, disabled).reasons;
    findDocumentReasons(subject, { documents, judgeEmbedded, isWatched });
  }
  if (mode === 'create') {
    findNewGrants(subject);
    findNewObject(subject);
  }
  findDestinationReasons(subject, { documents, isWatched });
  const by_value = subject.findings().judged;
  // A replacement changes values as an update does, and the object that takes over has them.
  const is_harmless =
    (mode === 'update' || mode === 'replace') && findEffectReasons(subject, [...judged, ...by_value], isWatched);
  return { ...subject.findings(), harmless: mode === 'update' && is_harmless };
}
