import { COLORS, type Pdf, SIZES, toPrintable } from './style.ts';
import type { SummaryTable } from './types.ts';

const PADDING = 4;

interface Column {
  x: number;
  width: number;
  align: 'left' | 'right';
}

/** Draws a table; its header is repeated on each page. */
export function drawTable(pdf: Pdf, table: SummaryTable, root: PDFKit.PDFStructureElement): void {
  const columns = placeColumns(pdf, table);
  const titles = table.columns.map(({ title }) => title);
  const element = pdf.struct('Table', { title: table.title });
  root.add(element);
  drawRow(pdf, { columns, cells: titles, tag: 'TH', element });
  for (const cells of table.rows) {
    if (pdf.y + rowHeight(pdf, columns, cells) > pdf.page.maxY()) {
      pdf.addPage();
      drawRow(pdf, { columns, cells: titles, tag: 'TH', element });
    }
    drawRow(pdf, { columns, cells, tag: 'TD', element });
  }
  element.end();
  pdf.x = pdf.page.margins.left;
  pdf.moveDown(0.8);
}

function placeColumns(pdf: Pdf, { columns }: SummaryTable): Column[] {
  const { left, right } = pdf.page.margins;
  const total = columns.reduce((sum, { share }) => sum + share, 0);
  const unit = (pdf.page.width - left - right) / total;
  let x = left;
  return columns.map(({ share, align }) => {
    const column = { x, width: unit * share, align };
    x += column.width;
    return column;
  });
}

interface Row {
  columns: readonly Column[];
  cells: readonly string[];
  tag: 'TH' | 'TD';
  element: PDFKit.PDFStructureElement;
}

function drawRow(pdf: Pdf, { columns, cells, tag, element }: Row): void {
  const height = rowHeight(pdf, columns, cells);
  const top = pdf.y;
  drawBackground(pdf, tag, { top, height });
  const row = pdf.struct('TR');
  element.add(row);
  for (const [place, { x, width, align }] of columns.entries()) {
    row.add(
      pdf.struct(tag, {}, () => {
        pdf
          .font(tag === 'TH' ? 'bold' : 'regular')
          .fontSize(SIZES.cell)
          .fillColor(COLORS.text);
        pdf.text(toPrintable(cells[place] ?? ''), x + PADDING, top + PADDING, { width: width - 2 * PADDING, align });
      }),
    );
  }
  row.end();
  pdf.y = top + height;
}

/** Decoration, which screen readers skip. */
function drawBackground(pdf: Pdf, tag: 'TH' | 'TD', { top, height }: { top: number; height: number }): void {
  const { left, right } = pdf.page.margins;
  const width = pdf.page.width - left - right;
  pdf.markContent('Artifact', { type: 'Layout' });
  if (tag === 'TH') pdf.rect(left, top, width, height).fill(COLORS.head);
  pdf
    .moveTo(left, top + height)
    .lineTo(left + width, top + height)
    .lineWidth(0.5)
    .stroke(COLORS.line);
  pdf.endMarkedContent();
}

function rowHeight(pdf: Pdf, columns: readonly Column[], cells: readonly string[]): number {
  // Bold is the wider of both fonts.
  pdf.font('bold').fontSize(SIZES.cell);
  const heights = columns.map(({ width }, place) =>
    pdf.heightOfString(toPrintable(cells[place] ?? '') || ' ', { width: width - 2 * PADDING }),
  );
  return Math.max(...heights) + 2 * PADDING;
}
