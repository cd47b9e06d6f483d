export type Format = 'text' | 'json';

/** Prints the response of the service as JSON, or a text. */
export function print({ format }: { format: Format }, body: unknown, write: () => string): void {
  process.stdout.write(format === 'json' ? `${JSON.stringify(body, null, 2)}\n` : write());
}
