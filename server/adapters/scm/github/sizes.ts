import { dropTrailing } from '../../../../engine/index.ts';

/** GitHub takes 65,535 characters in a check run and 65,536 in a comment; no text has more characters than bytes. */
const MOST_BYTES = 65_000;
const CUT = '\n\n(cut here: GitHub takes no longer text)';
const MOST_DESCRIPTION = 140;

/** The text, or its beginning with a line that says so. */
export function truncateBody(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MOST_BYTES) return text;
  const kept = bytes.subarray(0, MOST_BYTES - CUT.length).toString();
  return dropTrailing(kept, '�') + CUT;
}

/** What a commit status says, of at most 140 characters. */
export function truncateDescription(title: string): string {
  const characters = [...title];
  return characters.length <= MOST_DESCRIPTION ? title : `${characters.slice(0, MOST_DESCRIPTION - 1).join('')}…`;
}
