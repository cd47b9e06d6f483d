/** A failure that the caller can mend: the message says what was wrong and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** Ends the command with exit code 1. Only a fault of the program itself shows its stack. */
export function reportFailure(error: unknown): void {
  process.stderr.write(`dpa: ${describeError(error)}\n`);
  process.exitCode = 1;
}

function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join('; ');
  if (!(error instanceof Error)) return String(error);
  if (isForeignAnswer(error)) {
    return `what answers is not a dpa service (status ${error.status}): check DPA_URL or --url, and any proxy before it`;
  }
  const is_bug = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return is_bug && error.stack !== undefined ? error.stack : error.message;
}

/** An answer that the service did not write; told by its fields, because most commands never load the client. */
function isForeignAnswer(error: Error): error is Error & { status: number } {
  return 'error_class' in error && error.error_class === 'foreign_answer';
}
