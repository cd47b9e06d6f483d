/** Error classes of states. */
export type StateErrorClass =
  /** There is nothing in the file. */
  | 'empty_state'
  /** The file ends before its JSON does. */
  | 'truncated_state'
  /** The JSON is damaged, ambiguous or not as Terraform writes it. */
  | 'invalid_state_json'
  /** A state in a format that this version does not read. */
  | 'unsupported_state_version'
  /** A state that OpenTofu encrypted. */
  | 'encrypted_state'
  /** Compressed, in UTF-16, or in another encoding that must be undone first. */
  | 'encoded_state'
  /** Another document. */
  | 'not_a_state';

/** The text is not a state that can be read. The message is for people: what was found, and what to run instead. */
export class StateError extends Error {
  readonly error_class: StateErrorClass;

  constructor(error_class: StateErrorClass, message: string) {
    super(message);
    this.name = 'StateError';
    this.error_class = error_class;
  }
}

/** One instance or resource cannot be read; the others can. The message continues "… was not read:". */
export class UnreadableError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableError';
  }
}
