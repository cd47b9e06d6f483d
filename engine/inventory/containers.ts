import type { CapturedText } from '../json/capture.ts';
import type { ValueKind } from '../json/scan.ts';
import { parseText } from '../json/text.ts';
import type { ContainerReader } from '../json/walker.ts';
import { isObject } from '../lib/is-object.ts';
import { InventoryDocument, readDocument } from './document.ts';
import { InventoryError } from './errors.ts';
import type { FileNotes } from './file-notes.ts';
import { refuseScalar } from './refusals.ts';

/** Reads one root value: a document, or a list of documents or resources. */
export class RootReader implements ContainerReader {
  private readonly notes: FileNotes;

  constructor(notes: FileNotes) {
    this.notes = notes;
  }

  child(kind: ValueKind): ContainerReader {
    if (kind === 'scalar') throw refuseScalar();
    return kind === 'object' ? new DocumentReader(this.notes) : new ItemsReader(this.notes);
  }
}

/** The members of a document. Lists of resources are read row by row. */
class DocumentReader implements ContainerReader {
  private readonly document: InventoryDocument;
  private member = '';

  constructor(notes: FileNotes) {
    this.document = new InventoryDocument(notes, false);
  }

  key(name: string): void {
    this.member = name;
  }

  child(kind: ValueKind): ContainerReader | 'capture' {
    return kind === 'array' && this.document.openList(this.member) ? new RowsReader(this.document) : 'capture';
  }

  captured(text: CapturedText | null): void {
    // A member that is too large to be kept is present, and that is all that is known.
    this.document.member(this.member, text === null ? null : parseText(text));
  }

  close(): void {
    this.document.close();
  }
}

class RowsReader implements ContainerReader {
  private readonly document: InventoryDocument;

  constructor(document: InventoryDocument) {
    this.document = document;
  }

  child(): 'capture' {
    return 'capture';
  }

  captured(text: CapturedText | null): void {
    this.document.row(text === null ? null : parseText(text));
  }
}

/** A list of resources, as most commands print it, or of documents, as `jq --slurp` collects them. */
class ItemsReader implements ContainerReader {
  private readonly notes: FileNotes;
  private item_count = 0;
  private unreadable_count = 0;
  private refusal: InventoryError | null = null;

  constructor(notes: FileNotes) {
    this.notes = notes;
  }

  child(): 'capture' {
    return 'capture';
  }

  captured(text: CapturedText | null): void {
    this.item_count += 1;
    const value = text === null ? null : parseText(text);
    try {
      if (!isObject(value)) throw refuseScalar();
      readDocument(value, this.notes, true);
      this.notes.document_count -= 1;
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      this.unreadable_count += 1;
      this.refusal ??= error;
    }
  }

  close(): void {
    if (this.refusal !== null && this.unreadable_count === this.item_count) throw this.refusal;
    this.notes.unreadable_count += this.unreadable_count;
    this.notes.document_count += 1;
    if (this.item_count > 0) return;
    this.notes.addFormat('empty_list');
    this.notes.warnings.push(
      `${this.notes.name} has an empty list, which does not say what was listed, so nothing counts as checked because of it.`,
    );
  }
}
