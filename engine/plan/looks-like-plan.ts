const HEAD_BYTES = 65_536;

/** Members that plans, states and hardly anything else have. */
const PLAN_MEMBER =
  /"(?:format_version|plan_format_version|resource_changes|resource_drift|planned_values|output_changes|lineage)"\s*:/;
/** Members of other output of Terraform. */
const OTHER_OUTPUT = /"(?:provider_schemas|diagnostics|function_signatures)"\s*:/;
/** Names that nobody gives to anything else. */
const PLAN_FILE_NAME = /^(?:tf)?plan\.json$/i;

/** Whether a file that cannot be read as a plan was meant as one, rather than being something else. */
export function looksLikePlan(path: string, bytes: Uint8Array): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (PLAN_FILE_NAME.test(name) || endsAfter(name, /tfplan/i, /\.json$/i)) return true;
  // Without its zero bytes, UTF-16 reads as ASCII.
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES)).replaceAll('\0', '');
  return PLAN_MEMBER.test(head) && !OTHER_OUTPUT.test(head);
}

/** Whether a name has a word, and an ending somewhere behind it. */
function endsAfter(name: string, word: RegExp, ending: RegExp): boolean {
  const found = word.exec(name);
  return found !== null && ending.test(name.slice(found.index + found[0].length));
}
