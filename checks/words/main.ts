/** `npm run check:words`: names and texts use none of the words in words.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXCEPTIONS } from './exceptions.ts';
import { listCheckedFiles } from './files.ts';
import { applyExceptions, findRetiredWords } from './find.ts';

const root = process.cwd();
const files = listCheckedFiles(root);
const found = files.flatMap((file) => findRetiredWords(file, readFileSync(join(root, file), 'utf8')));
const { findings, unused } = applyExceptions(found, EXCEPTIONS);

for (const { file, line, word, found, use } of findings) {
  console.error(`${file}:${line} "${word}": write ${use}\n  ${found}`);
}
for (const { path, word } of unused) {
  console.error(
    `checks/words/exceptions.ts allows "${word}" in ${path}, where it does not occur. Remove the exception.`,
  );
}
console.log(`${files.length} files: ${findings.length} retired words, ${unused.length} unused exceptions`);
process.exitCode = findings.length + unused.length === 0 ? 0 : 1;
