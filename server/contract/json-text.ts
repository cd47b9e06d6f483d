/**
 * A response body that is already JSON text, such as a stored result of megabytes: it is sent unchanged, without
 * parsing or serializing it again.
 */
export class JsonText<T = unknown> {
  /** Exists only for the compiler: the type of the JSON value. */
  declare readonly holds: T;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
