export type Pdf = PDFKit.PDFDocument;

export const COLORS = { text: '#1b1f24', faint: '#59636e', line: '#d1d9e0', head: '#eef1f4' };
/** Points. */
export const SIZES = { title: 20, subtitle: 11, heading: 13, text: 9.5, cell: 8.5, footer: 7.5 };

/** The text on one line, without characters that no font can show. */
export function toPrintable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
