const PLAIN = /^[A-Za-z0-9_./:=@%+,-]+$/;

/**
 * A command line that a POSIX shell splits into exactly these words. Words of plain letters stand as they are.
 *
 * @see POSIX.1-2024, Shell Command Language, 2.2.2 Single-Quotes
 */
export function formatShellCommand(args: readonly string[]): string {
  return args.map(quote).join(' ');
}

function quote(arg: string): string {
  return PLAIN.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`;
}
