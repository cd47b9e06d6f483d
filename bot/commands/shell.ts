const PLAIN = /^[A-Za-z0-9_./:=@%+,-]+$/;

/**
 * Formats a command line that a POSIX shell splits into exactly these words. Words of safe characters are not quoted.
 *
 * @see POSIX.1-2024, Shell Command Language, 2.2.2 Single-Quotes
 */
export function formatShellCommand(args: readonly string[]): string {
  return args.map(quote).join(' ');
}

function quote(arg: string): string {
  return PLAIN.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`;
}
