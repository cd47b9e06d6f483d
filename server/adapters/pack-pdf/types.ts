/** A table of texts. */
export interface SummaryTable {
  kind: 'table';
  /** Read aloud before the table. */
  title: string;
  /** `share`: the width of the column relative to the others. */
  columns: readonly { title: string; align: 'left' | 'right'; share: number }[];
  rows: readonly (readonly string[])[];
}

export type SummaryBlock = { kind: 'heading' | 'text'; text: string } | SummaryTable;

/** A document of text and tables, without anything that depends on the machine that renders it. */
export interface SummaryDocument {
  title: string;
  subtitle: string;
  /** In the metadata of the file. */
  created_at: Date;
  blocks: readonly SummaryBlock[];
}

/** Renders a document as a file. Equal documents give equal bytes. */
export type RenderSummary = (document: SummaryDocument) => Promise<Uint8Array>;
