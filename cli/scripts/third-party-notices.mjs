import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\.|-|$)/i;

/**
 * The license and copyright notices of the packages in a bundle, as their licenses require.
 *
 * @param folder base of the paths in `inputs`
 * @param inputs bundled files
 * @throws if a package has neither a license file nor a license and an author in its manifest
 */
export function thirdPartyNotices(folder, inputs) {
  const packages = inputs
    .filter((path) => path.includes('node_modules/'))
    .map((path) => findPackageRoot(resolve(folder, path)));
  const notices = [...new Set(packages)].map(formatNotice).sort();
  return `The dpa command contains the following packages.\n\n${notices.join('\n')}`;
}

/** The folder with the package.json that has a name: some packages have other package.json files in subfolders. */
function findPackageRoot(file) {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json')) || readManifest(folder).name === undefined) folder = dirname(folder);
  return folder;
}

function formatNotice(folder) {
  const { name, version, license, author } = readManifest(folder);
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  if (files.length === 0 && (!license || !author))
    throw new Error(
      `${name} names neither its license nor its author: its notice cannot be published with the command`,
    );
  if (files.length === 0) return `${'='.repeat(80)}\n${name} ${version} (${license})\n\nCopyright ${author}\n`;
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
