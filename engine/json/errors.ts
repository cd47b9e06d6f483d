/** The text is not JSON, nests too deep, or has a value that is too large. The message says what is wrong, and where. */
export class JsonError extends Error {
  readonly problem: 'syntax' | 'depth' | 'size';

  constructor(problem: JsonError['problem'], message: string) {
    super(message);
    this.name = 'JsonError';
    this.problem = problem;
  }
}
