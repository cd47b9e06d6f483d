import { createRequire } from 'node:module';
import type { RenderSummary, SummaryDocument } from './types.ts';

const resolveFont = createRequire(import.meta.url).resolve;

/**
 * Renders documents as PDF: tagged for screen readers, with embedded fonts. Equal documents give equal bytes. The
 * library is loaded on first use.
 */
export function createSummaryRenderer(): RenderSummary {
  const fonts = {
    regular: resolveFont('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
    bold: resolveFont('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  };
  return async (document: SummaryDocument) => {
    const { renderPdf } = await import('./render.ts');
    return renderPdf(document, fonts);
  };
}
