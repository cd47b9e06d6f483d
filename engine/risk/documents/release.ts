/** Judges the values of a Helm release as Helm merges them. */
import { listValueDifferences } from '../../documents/differences.ts';
import type { DocumentReader } from '../../documents/reader.ts';
import { mergeReleaseValues } from '../../documents/release-values.ts';
import type { JsonObject } from '../../model/result.ts';
import type { Subject } from '../attributes/subject.ts';
import { judgeTree } from './tree.ts';

const RELEASES = new Set(['helm_release', 'helm_template']);
/** Arguments that hold values of a release. */
const VALUES = new Set<string | number>(['values', 'set', 'set_list']);

/** Whether an argument holds values that {@link judgeRelease} reads. */
export function holdsReleaseValues(segment: string | number | undefined): boolean {
  return segment !== undefined && VALUES.has(segment);
}

/**
 * Adds the reasons that follow from changed values of a release.
 *
 * @returns false when the resource is no release, or its values cannot be merged
 */
export function judgeRelease(subject: Subject, documents: DocumentReader): boolean {
  const { before, after } = subject;
  if (!RELEASES.has(subject.type) || after === undefined || isPartlyUnknown(subject)) return false;
  const merged = mergeReleaseValues(after, documents);
  const former = before === undefined ? undefined : mergeReleaseValues(before, documents);
  if (merged === null || former === null) return false;
  const differences = listValueDifferences(former ?? {}, merged);
  const kinds = [`chart/${readChart(after)}`, 'chart/*'];
  judgeTree(subject, { path: ['values'], names: [], kinds }, differences, former, merged);
  return true;
}

function isPartlyUnknown(subject: Subject): boolean {
  return [...VALUES].some((name) => subject.isUnknown(name));
}

/** The last part of a name, a folder or an address such as `oci://registry.example.com/charts/vault`. */
function readChart({ chart }: JsonObject): string {
  if (typeof chart !== 'string') return '';
  const name = chart.split('/').findLast((part) => part !== '') ?? '';
  return name.replace(/(?:-v?\d[\w.]{0,20})?\.tgz$/, '').toLowerCase();
}
