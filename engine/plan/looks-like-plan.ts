const HEAD_BYTES = 65_536;

/** Members that occur almost only in plans and states. */
const PLAN_MEMBER =
  /"(?:format_version|plan_format_version|resource_changes|resource_drift|planned_values|output_changes|lineage)"\s*:/;
/** Members of other Terraform output. */
const OTHER_OUTPUT = /"(?:provider_schemas|diagnostics|function_signatures)"\s*:/;
/** File names that are used only for plans. */
const PLAN_FILE_NAME = /^(?:tf)?plan\.json$/i;

/** Returns true when a file that cannot be read as a plan was probably intended as one. */
export function looksLikePlan(path: string, bytes: Uint8Array): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (PLAN_FILE_NAME.test(name) || endsAfter(name, /tfplan/i, /\.json$/i)) return true;
  // UTF-16 without its zero bytes can be read as ASCII.
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES)).replaceAll('\0', '');
  return PLAN_MEMBER.test(head) && !OTHER_OUTPUT.test(head);
}

/** Returns true when a name contains a word and ends with a suffix after it. */
function endsAfter(name: string, word: RegExp, ending: RegExp): boolean {
  const found = word.exec(name);
  return found !== null && ending.test(name.slice(found.index + found[0].length));
}
