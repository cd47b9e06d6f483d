/** Common names of Terraform plan files and archives of plans. */
const PLAN_FILE = /^tfplan|\.tfplan$|^plan(?:\.(?:out|bin|binary|cache))?$/i;
const ARCHIVE_ENDING = /\.(?:tar|tar\.gz|tgz|tar\.zst|zip|7z|gz)$/i;

/**
 * Advice for a file that contains a plan in an unsupported format.
 *
 * @param head the first bytes of the file
 * @returns null if the file is not such a plan
 */
export function adviceOn(path: string, head: Buffer): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isPlanArchive(name)) {
    return 'This is an archive inside the archive, which is not opened: upload the JSON file itself.';
  }
  if (!PLAN_FILE.test(name)) return null;
  if (head.toString('latin1', 0, 2) === 'PK') {
    return 'This is a binary plan file, which only Terraform can read. Run `terraform show -json tfplan > tfplan.json` (with OpenTofu: `tofu show -json`) and upload tfplan.json.';
  }
  return /^\s*\{/.test(head.toString('latin1')) ? 'This looks like JSON: give it a name that ends in .json.' : null;
}

export function mayNeedAdvice(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return isPlanArchive(name) || PLAN_FILE.test(name);
}

function isPlanArchive(name: string): boolean {
  const ending = ARCHIVE_ENDING.exec(name);
  return ending !== null && /plan/i.test(name.slice(0, ending.index));
}
