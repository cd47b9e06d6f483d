/**
 * Whether to color output on a stream: FORCE_COLOR decides first, then NO_COLOR, then whether the stream is a terminal.
 *
 * @see https://no-color.org
 */
export function shouldUseColor(stream: { isTTY?: boolean }): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  return stream.isTTY === true && TERM !== 'dumb';
}
