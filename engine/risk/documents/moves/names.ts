/** Names by which the kind of a document is recognized. */
import { readMember } from '../../../changes/values.ts';
import type { Subject } from '../../attributes/subject.ts';
import type { Path } from '../../attributes/types.ts';

/** Attributes that name the file or the object that a document is. */
const NAMERS = ['key', 'path', 'filename', 'file_path', 'destination', 'name', 'file', 'id'];

/** The type of the resource, the segments of the path, and the names that the resource gives the document. */
export function listNames(subject: Subject, path: Path): string[] {
  const values = subject.after ?? subject.before;
  const own = values === undefined ? [] : NAMERS.map((name) => readMember(values, name));
  return [subject.type, ...path, ...own].flatMap((name) => (typeof name === 'string' ? [name.toLowerCase()] : []));
}
