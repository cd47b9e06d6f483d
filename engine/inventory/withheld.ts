/** What an inventory holds in place of values that it does not keep. None of it may be compared. */

/** Replaces a secret, or is a part of a text that had one. */
export const REDACTED = '[redacted]';
/** Replaces a value that was too large to keep, and ends a list that was cut. */
export const OMITTED = '[omitted: too large]';
export const MAX_TEXT_LENGTH = 16_384;
/** Ends a text that was cut. */
const CUT_MARK = '…';

export function cutText(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}${CUT_MARK}`.toWellFormed();
}

export function isCutText(text: string): boolean {
  return text.length === MAX_TEXT_LENGTH + CUT_MARK.length && text.endsWith(CUT_MARK);
}
