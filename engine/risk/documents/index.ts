/** Judges documents inside attributes: manifests, policies, scripts, configuration and queries. */
import type { ResourceChange } from '../../changes/types.ts';
import { listDifferences } from '../../documents/differences.ts';
import type { DocumentReader } from '../../documents/reader.ts';
import type { Document, DocumentDifference } from '../../documents/types.ts';
import type { AttributeDiff, JsonValue, Reason } from '../../model/result.ts';
import type { Subject } from '../attributes/subject.ts';
import { holdsAlarmQuery } from '../meaning/values/query-filters.ts';
import { judgeAttributeSettings } from './attribute-settings.ts';
import { findEmbeddedChanges } from './embedded.ts';
import { judgeLines } from './lines.ts';
import { judgeExclusion } from './matching.ts';
import { judgeKnownLines, listAssignments } from './moves/index.ts';
import { listNames } from './moves/names.ts';
import { holdsReleaseValues, judgeRelease } from './release.ts';
import { CHECK_COMMANDS, RESTRICTS } from './restrictions.ts';
import { judgeTree, reportFindings } from './tree.ts';

/** Shorter texts are values, not documents. */
const MIN_CHARS = 16;
const MIN_CODE_CHARS = 60;
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
  const is_release = judgeRelease(subject, context.documents);
  if (!is_release) judgeAttributeSettings(subject);
  for (const diff of subject.change.diffs) {
    judgeExclusion(subject, diff);
    if (diff.after_unknown || diff.same !== undefined || typeof diff.after !== 'string') continue;
    const sides = readSides(diff.before, diff.after, context.documents);
    if (sides === null) continue;
    const is_judged = is_release && holdsReleaseValues(diff.path_segments[0]);
    const names = listNames(subject, diff.path_segments);
    judgeDocument(subject, { diff, names, is_judged }, sides, context, MAX_NESTING);
  }
}

/** Where a document stands. */
interface Holder {
  diff: AttributeDiff;
  /** By which its kind is recognized. */
  names: readonly string[];
  /** The settings of its tree are judged already. */
  is_judged: boolean;
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
  return format === 'text' && (statements === undefined || (statements.length <= 1 && !isCode(statements[0] ?? '')));
}

/** A program on a single line. */
const CODE = /\)\s{0,3}(?:=>\s{0,3})?\{/;

function isCode(line: string): boolean {
  return line.length >= MIN_CODE_CHARS && CODE.test(line);
}

function judgeDocument(
  subject: Subject,
  { diff, names, is_judged }: Holder,
  { before, after }: Sides,
  context: DocumentContext,
  nesting: number,
): void {
  const embedded = context.isWatched(diff) ? [] : findEmbeddedChanges(subject.change, before?.tree, after.tree);
  for (const change of embedded) {
    for (const reason of context.judgeEmbedded(change)) addEmbedded(subject, diff, reason);
  }
  const differences = listDifferences(before ?? makeEmpty(after), after);
  const path = diff.path_segments;
  const lines = judgeDirectives(subject, path, { before, after }, differences, names);
  // A filter that an alarm loses lets it watch more.
  if (!holdsAlarmQuery(subject.type, path)) judgeStatements(subject, diff, after, lines, before === null);
  if (!is_judged && after.tree !== undefined && (before === null || before.tree !== undefined))
    judgeTree(subject, { path, names, kinds: [] }, lines, before?.tree, after.tree);
  if (after.tree === undefined || nesting === 0) return;
  for (const { path: at, before: was, after: is } of differences) {
    if (typeof is !== 'string') continue;
    const inner = readSides(was, is, context.documents);
    const inner_names = [...names, ...at.map((segment) => String(segment).toLowerCase())];
    const holder = { diff, names: inner_names, is_judged: false };
    if (inner !== null) judgeDocument(subject, holder, inner, context, nesting - 1);
  }
}

/** Judges lines that are directives by tables; returns the differences that are left. */
function judgeDirectives(
  subject: Subject,
  path: AttributeDiff['path_segments'],
  { before, after }: Sides,
  differences: DocumentDifference[],
  names: readonly string[],
): DocumentDifference[] {
  const lines = listDirectives(after);
  if (lines === null) return differences;
  const { known, rest } = judgeKnownLines(
    before === null ? null : (listDirectives(before) ?? []),
    lines,
    differences,
    names,
  );
  reportFindings(subject, path, known, [], () => null);
  return rest;
}

/** The lines of a text, and the assignments of properties. */
function listDirectives({ format, tree, statements }: Document): string[] | null {
  if (format === 'properties' && tree !== undefined) return listAssignments(tree);
  return format === 'text' || format === 'script' || format === 'sql' ? (statements ?? []) : null;
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

/** Lines of a document without a tree, and commands in one. */
function judgeStatements(
  subject: Subject,
  { path_segments: path }: AttributeDiff,
  { tree }: Document,
  differences: readonly DocumentDifference[],
  is_new: boolean,
): void {
  const lines = tree === undefined ? differences : differences.flatMap(listItems);
  const found = judgeLines(lines, is_new ? [] : tree === undefined ? RESTRICTS : [CHECK_COMMANDS]);
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
