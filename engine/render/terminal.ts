import type { RiskLevel } from '../model/result.ts';

type Style = RiskLevel | 'bold' | 'dim';

const CODES: Record<Style, string> = {
  critical: '1;31',
  high: '31',
  medium: '33',
  low: '36',
  none: '2',
  bold: '1',
  dim: '2',
};

export type Paint = (style: Style, text: string) => string;

/** Colors text with SGR codes, or returns it unchanged if `color` is false. */
export function createPaint(color: boolean): Paint {
  return color ? (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m` : (_style, text) => text;
}

/** Wraps text at spaces into lines of at most `width` characters; breaks longer words. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (let word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    while (word.length > width) {
      if (line !== '') lines.push(line);
      line = '';
      lines.push(word.slice(0, width));
      word = word.slice(width);
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}
