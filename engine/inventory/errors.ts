/** Error classes of inventory files. */
export type InventoryErrorClass =
  /** There is nothing in the file. */
  | 'empty_file'
  /** The file ends before its JSON does. */
  | 'truncated_file'
  /** The JSON is damaged, or nested too deep. */
  | 'invalid_json'
  /** Text, a page or a binary file. */
  | 'not_json'
  /** The file, or one entry of it, is larger than the limit. */
  | 'too_large'
  /** A listing that does not say of which type its resources are. */
  | 'missing_type'
  /** A state of Terraform, which is often in the same folder. */
  | 'state'
  /** Another JSON document, such as a plan or the output of another command. */
  | 'other_document';

/** The file is not an inventory that can be read. The message is for people: what was found, and what to run instead. */
export class InventoryError extends Error {
  readonly error_class: InventoryErrorClass;

  constructor(error_class: InventoryErrorClass, message: string) {
    super(message);
    this.name = 'InventoryError';
    this.error_class = error_class;
  }
}
