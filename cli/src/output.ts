export type Format = 'text' | 'json';

/** Prints what the service said as JSON, or a text for people. */
export function print({ format }: { format: Format }, body: unknown, write: () => string): void {
  process.stdout.write(format === 'json' ? `${JSON.stringify(body, null, 2)}\n` : write());
}
