import PDFDocument from 'pdfkit';
import { COLORS, type Pdf, SIZES, toPrintable } from './style.ts';
import { drawTable } from './table.ts';
import type { SummaryBlock, SummaryDocument } from './types.ts';

const MARGIN = 56;

/** @param fonts paths of TrueType files */
export async function renderPdf(document: SummaryDocument, fonts: { regular: string; bold: string }): Promise<Buffer> {
  const { title, subtitle, created_at, blocks } = document;
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/A-2b',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    font: fonts.regular,
    info: { Title: toPrintable(title), Creator: 'dpa', Producer: 'dpa', CreationDate: created_at, ModDate: created_at },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => pdf.once('end', resolve).once('error', reject));
  pdf.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);

  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const add = (tag: string, draw: () => void) => root.add(pdf.struct(tag, {}, draw));
  add('H1', () => write(pdf, title, { font: 'bold', size: SIZES.title, gap: 0.3 }));
  add('P', () => write(pdf, subtitle, { font: 'regular', size: SIZES.subtitle, gap: 1 }));
  for (const block of blocks) drawBlock(pdf, block, root, add);
  root.end();
  drawFooters(pdf, title);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawBlock(
  pdf: Pdf,
  block: SummaryBlock,
  root: PDFKit.PDFStructureElement,
  add: (tag: string, draw: () => void) => void,
): void {
  if (block.kind === 'table') {
    drawTable(pdf, block, root);
  } else if (block.kind === 'text') {
    add('P', () => write(pdf, block.text, { font: 'regular', size: SIZES.text, gap: 0.6 }));
  } else {
    keepWithNext(pdf);
    add('H2', () => write(pdf, block.text, { font: 'bold', size: SIZES.heading, gap: 0.4 }));
  }
}

/** A heading does not stand alone at the end of a page. */
function keepWithNext(pdf: Pdf): void {
  pdf.moveDown(0.6);
  if (pdf.y > pdf.page.maxY() - 110) pdf.addPage();
}

function write(pdf: Pdf, text: string, { font, size, gap }: { font: string; size: number; gap: number }): void {
  pdf.font(font).fontSize(size).fillColor(COLORS.text);
  pdf.text(toPrintable(text), pdf.page.margins.left, pdf.y, { width: pdf.page.width - 2 * MARGIN, lineGap: 1.5 });
  pdf.moveDown(gap);
}

/** Page numbers, which screen readers skip. */
function drawFooters(pdf: Pdf, title: string): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    pdf.switchToPage(page);
    // Below the margin, text would begin a new page.
    pdf.page.margins.bottom = 0;
    pdf.markContent('Artifact', { type: 'Pagination' });
    pdf.font('regular').fontSize(SIZES.footer).fillColor(COLORS.faint);
    const at = pdf.page.height - MARGIN + 18;
    const width = pdf.page.width - 2 * MARGIN;
    pdf.text(toPrintable(title), MARGIN, at, { width: width - 80, height: 10, ellipsis: true, lineBreak: false });
    pdf.text(`Page ${page + 1} of ${count}`, MARGIN + width - 80, at, { width: 80, align: 'right', lineBreak: false });
    pdf.endMarkedContent();
  }
}
