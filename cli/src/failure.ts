/** An error that the user can fix: the message says what is wrong and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** Prints the error and sets exit code 1. Only a bug of the program itself prints a stack trace. */
export function reportFailure(error: unknown): void {
  process.stderr.write(`dpa: ${describeError(error)}\n`);
  process.exitCode = 1;
}

function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join('; ');
  if (!(error instanceof Error)) return String(error);
  if (isForeignAnswer(error)) {
    return `the server that responded is not a dpa service (status ${error.status}): check DPA_URL or --url, and any proxy in between`;
  }
  const is_bug = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return is_bug && error.stack !== undefined ? error.stack : error.message;
}

/** A response that the service did not write. Checks fields instead of the class, because most commands do not load the SDK. */
function isForeignAnswer(error: Error): error is Error & { status: number } {
  return 'error_class' in error && error.error_class === 'foreign_answer';
}
