/** Types with untyped attributes, in which a number and its string form are different values. */
const UNTYPED: ReadonlySet<string> = new Set([
  'kubernetes_manifest',
  'terraform_data',
  'azapi_resource',
  'azapi_update_resource',
]);

/** Whether the attributes of a type contain user-defined names. */
export function isUntyped(type: string): boolean {
  return UNTYPED.has(type);
}
