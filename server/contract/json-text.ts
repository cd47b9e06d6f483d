/**
 * A reply body that is JSON text already, such as a stored result of megabytes: it is sent as it is, neither parsed nor
 * serialised again.
 */
export class JsonText<T = unknown> {
  /** Exists for the compiler only: the type that the text holds. */
  declare readonly holds: T;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
