/** Judges documents inside attributes: manifests, policies, scripts, configuration and queries. */
import type { ResourceChange } from '../../changes/types.ts';
import { listDifferences } from '../../documents/differences.ts';
import type { DocumentReader } from '../../documents/reader.ts';
import type { Document, DocumentDifference } from '../../documents/types.ts';
import type { AttributeDiff, JsonValue, Reason } from '../../model/result.ts';
import type { Subject } from '../attributes/subject.ts';
import { judgeAttributeSettings } from './attribute-settings.ts';
import { findEmbeddedChanges } from './embedded.ts';
import { isFilter, judgeFilter } from './filters.ts';
import { judgeLines } from './lines.ts';
import { judgeExclusion } from './matching.ts';
import { findLostSecurity } from './openapi.ts';
import { isInPolicy, reportSettings, toSetting } from './report.ts';
import { judgeSettingValue } from './setting-values.ts';
import { judgeSetting } from './settings.ts';
import { findSkippedStep } from './workflows.ts';

/** Shorter texts are values, not documents. */
const MIN_CHARS = 16;
/** Documents in documents, such as a script in a cloud-init file in a template. */
const MAX_NESTING = 3;
const NOTHING: Document = { format: 'text', statements: [] };

export interface DocumentContext {
  documents: DocumentReader;
  /** Evaluates a resource that a document declares. */
  judgeEmbedded(change: ResourceChange): Reason[];
  /** Whether other rules read the attribute, and so its policies. */
  isWatched(diff: AttributeDiff): boolean;
}

/** Adds the reasons that follow from changed documents. */
export function findDocumentReasons(subject: Subject, context: DocumentContext): void {
  judgeAttributeSettings(subject);
  for (const diff of subject.change.diffs) {
    judgeExclusion(subject, diff);
    if (diff.after_unknown || diff.same !== undefined || typeof diff.after !== 'string') continue;
    const sides = readSides(diff.before, diff.after, context.documents);
    if (sides !== null) judgeDocument(subject, diff, sides, context, MAX_NESTING);
  }
}

interface Sides {
  before: Document | null;
  after: Document;
}

function readSides(before: JsonValue | undefined, after: string, documents: DocumentReader): Sides | null {
  if (after.length < MIN_CHARS) return null;
  const right = documents.read(after);
  if (right === null) return null;
  const left = typeof before === 'string' ? documents.read(before) : null;
  // A single line that no parser reads is a value.
  return isValue(right) && (left === null || isValue(left)) ? null : { before: left, after: right };
}

function isValue({ format, statements }: Document): boolean {
  return format === 'text' && (statements === undefined || statements.length <= 1);
}

function judgeDocument(
  subject: Subject,
  diff: AttributeDiff,
  { before, after }: Sides,
  context: DocumentContext,
  nesting: number,
): void {
  const embedded = context.isWatched(diff) ? [] : findEmbeddedChanges(subject.change, before?.tree, after.tree);
  for (const change of embedded) {
    for (const reason of context.judgeEmbedded(change)) addEmbedded(subject, diff, reason);
  }
  const differences = listDifferences(before ?? makeEmpty(after), after);
  judgeStatements(subject, diff, after, differences, before === null);
  if (before?.tree !== undefined && after.tree !== undefined)
    judgeTree(subject, diff, differences, before.tree, after.tree);
  if (after.tree === undefined || nesting === 0) return;
  for (const { before: was, after: is } of differences) {
    if (typeof is !== 'string') continue;
    const inner = readSides(was, is, context.documents);
    if (inner !== null) judgeDocument(subject, diff, inner, context, nesting - 1);
  }
}

/** The items that a list in a tree gains and loses; any other difference as it is. */
function listItems(difference: DocumentDifference): DocumentDifference[] {
  const { path, before, after } = difference;
  if (!Array.isArray(before) || !Array.isArray(after)) return [difference];
  const [was, is] = [new Set(before), new Set(after)];
  return [
    ...after.filter((item) => !was.has(item)).map((item) => ({ path, before: undefined, after: item })),
    ...before.filter((item) => !is.has(item)).map((item) => ({ path, before: item, after: undefined })),
  ];
}

function makeEmpty({ tree }: Document): Document {
  if (tree === undefined) return NOTHING;
  return { format: 'json', tree: Array.isArray(tree) ? [] : {} };
}

function addEmbedded(subject: Subject, { path_segments: path }: AttributeDiff, reason: Reason): void {
  subject.add({ rule: reason.rule_id, level: reason.level, path, message: reason.message });
}

function judgeTree(
  subject: Subject,
  { path_segments: path }: AttributeDiff,
  differences: readonly DocumentDifference[],
  former: JsonValue,
  tree: JsonValue,
): void {
  const skipped = findSkippedStep(former, tree);
  if (skipped !== null) {
    const step = { path: ['States', skipped.name], before: skipped.name, after: undefined };
    reportSettings(subject, path, [step], () => skipped.found);
  }
  const judge = isFilter(path.at(-1))
    ? (difference: DocumentDifference) => judgeFilter(difference, tree)
    : (difference: DocumentDifference) =>
        isInPolicy(difference)
          ? null
          : (judgeSetting(toSetting(difference)) ?? judgeSettingValue(subject.type, difference, former, tree));
  reportSettings(subject, path, differences, judge);
  const lost = findLostSecurity(differences);
  if (lost !== null) reportSettings(subject, path, [lost.difference], () => lost.found);
}

/** Lines of a document without a tree, and commands in one. */
function judgeStatements(
  subject: Subject,
  { path_segments: path }: AttributeDiff,
  { tree }: Document,
  differences: readonly DocumentDifference[],
  is_new: boolean,
): void {
  const lines = tree === undefined ? differences : differences.flatMap(listItems);
  const found = judgeLines(lines, is_new || tree !== undefined);
  if (found === null) return;
  const verb = found.removed ? 'no longer contains' : 'now contains';
  subject.add({
    rule: found.removed ? 'R-DOC-LOST' : 'R-DOC-ADDED',
    level: is_new && found.level === 'critical' ? 'high' : found.level,
    path,
    message: `${found.consequence}: ${subject.formatPath(path)} ${verb} ${subject.quote(path, found.line)}.`,
    states_values: true,
  });
  subject.setDirection(path, 'weakening');
}
