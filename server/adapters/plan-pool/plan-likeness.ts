const HEAD_BYTES = 65_536;

/** Members that plans, states and hardly anything else have. */
const TELLING =
  /"(?:format_version|plan_format_version|resource_changes|resource_drift|planned_values|output_changes|lineage)"\s*:/;
/** Members of other output of Terraform. */
const OTHER_OUTPUT = /"(?:provider_schemas|diagnostics|function_signatures)"\s*:/;
/** Names that nobody gives to anything else. */
const TELLING_NAME = /^(?:tf)?plan\.json$/i;

/** Whether a file that cannot be read as a plan was meant as one, rather than being something else. */
export function looksLikePlan(path: string, bytes: Buffer): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (TELLING_NAME.test(name) || endsAfter(name, /tfplan/i, /\.json$/i)) return true;
  // Without its zero bytes, UTF-16 reads as ASCII.
  const head = bytes.toString('latin1', 0, HEAD_BYTES).replaceAll('\0', '');
  return TELLING.test(head) && !OTHER_OUTPUT.test(head);
}

/** Names that Terraform's own plan files and archives of plans are given. */
const PLAN_FILE = /^tfplan|\.tfplan$|^plan(?:\.(?:out|bin|binary|cache))?$/i;
const ARCHIVE_ENDING = /\.(?:tar|tar\.gz|tgz|tar\.zst|zip|7z|gz)$/i;

/**
 * What to do about a file that holds a plan in a form which is not read.
 *
 * @param head how the file begins
 * @returns null when it is nothing of the kind
 */
export function adviceOn(path: string, head: Buffer): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isPlanArchive(name)) {
    return 'This is an archive inside of the archive, which is not opened: upload the JSON file itself.';
  }
  if (!PLAN_FILE.test(name)) return null;
  if (head.toString('latin1', 0, 2) === 'PK') {
    return 'This is a binary plan file, which Terraform alone reads. Run `terraform show -json tfplan > tfplan.json` (with OpenTofu: `tofu show -json`) and upload tfplan.json.';
  }
  return /^\s*\{/.test(head.toString('latin1')) ? 'This looks like JSON: give it a name that ends in .json.' : null;
}

export function mayNeedAdvice(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return isPlanArchive(name) || PLAN_FILE.test(name);
}

function isPlanArchive(name: string): boolean {
  return endsAfter(name, /plan/i, ARCHIVE_ENDING);
}

/** Whether a name has a word, and an ending somewhere behind it. */
function endsAfter(name: string, word: RegExp, ending: RegExp): boolean {
  const found = word.exec(name);
  return found !== null && ending.test(name.slice(found.index + found[0].length));
}
