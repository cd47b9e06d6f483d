/** Joins the files of a recorded account: `account.json` names its account and its pages. */
import type { FileNotes } from '../file-notes.ts';
import type { NotChecked } from '../types.ts';

/**
 * Gives the rows of pages the account of their folder.
 *
 * @returns what is not known, because a page was not read
 */
export function joinRecordings(all: readonly FileNotes[]): NotChecked[] {
  const byName = new Map(all.map((notes) => [toPath(notes), notes]));
  return all.flatMap(({ name, recording }) => {
    if (recording === null) return [];
    const path = toPath({ name });
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    return recording.pages.flatMap((page) => {
      const notes = byName.get(`${folder}${page.name}`);
      if (notes === undefined) return [page.part];
      for (const row of notes.rows) row.account_id = recording.account_id;
      return [];
    });
  });
}

function toPath({ name }: Pick<FileNotes, 'name'>): string {
  return name.replaceAll('\\', '/');
}
