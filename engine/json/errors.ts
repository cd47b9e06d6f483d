/** The text is not JSON, nests too deep, or has a value that is too large. The message says what is wrong, and where. */
export class JsonError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonError';
  }
}
