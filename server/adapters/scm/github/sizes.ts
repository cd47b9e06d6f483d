import { dropTrailing } from '../../../../engine/index.ts';

/** GitHub allows 65,535 characters in a check run and 65,536 in a comment; no text has more characters than bytes. */
const MOST_BYTES = 65_000;
const CUT = '\n\n(truncated: GitHub does not allow longer text)';
const MOST_DESCRIPTION = 140;

/** Truncates a text and adds a line that says so. */
export function truncateBody(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MOST_BYTES) return text;
  const kept = bytes.subarray(0, MOST_BYTES - CUT.length).toString();
  return dropTrailing(kept, '�') + CUT;
}

/** The description of a commit status, at most 140 characters. */
export function truncateDescription(title: string): string {
  const characters = [...title];
  return characters.length <= MOST_DESCRIPTION ? title : `${characters.slice(0, MOST_DESCRIPTION - 1).join('')}…`;
}
