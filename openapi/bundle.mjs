/**
 * Bundles the contract: writes ../openapi.yaml from the files of this folder, or with `--check` fails when the two differ.
 *
 * The files are unindented YAML, and bundling only indents them, so comments and text are preserved.
 * root.yaml comes first, then the operations, then the events in webhooks.yaml; paths/ and schemas/ have one file per tag, in the order of the tags in root.yaml. Schemas that
 * several tags use are in schemas/shared.yaml.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

const folder = new URL('./', import.meta.url);
const bundle = new URL('../openapi.yaml', folder);
const COMPONENTS = {
  securitySchemes: 'security-schemes',
  parameters: 'parameters',
  headers: 'headers',
  responses: 'responses',
};

function bundled() {
  const root = read('root.yaml');
  const tags = parse(root).tags.map(({ name }) => `${name.toLowerCase().replaceAll(' ', '-')}.yaml`);
  assertKnown('paths', tags);
  assertKnown('schemas', [...tags, 'shared.yaml']);
  return [
    '# Bundled from openapi/ by `npm run generate`. Edit the files there.',
    root,
    'paths:',
    ...tags.flatMap((file) => section(`paths/${file}`, 2)),
    '',
    'webhooks:',
    ...section('webhooks.yaml', 2),
    '',
    'components:',
    ...Object.entries(COMPONENTS).flatMap(([name, file]) => [`  ${name}:`, ...section(`components/${file}.yaml`, 4)]),
    '  schemas:',
    ...[...tags, 'shared.yaml'].flatMap((file) => section(`schemas/${file}`, 4)),
    '',
  ].join('\n');
}

/** Throws for a file without a tag, which would not be bundled. */
function assertKnown(name, files) {
  const unknown = readdirSync(new URL(name, folder)).filter((file) => !files.includes(file));
  if (unknown.length > 0) throw new Error(`openapi/${name}: no tag matches ${unknown.join(', ')}; add it to root.yaml`);
}

function section(file, spaces) {
  if (!existsSync(new URL(file, folder))) return [];
  const indent = ' '.repeat(spaces);
  return [
    read(file)
      .split('\n')
      .map((line) => (line === '' ? '' : indent + line))
      .join('\n')
      .trimEnd(),
  ];
}

function read(file) {
  return readFileSync(new URL(file, folder), 'utf8').trimEnd();
}

const text = bundled();
if (!process.argv.includes('--check')) {
  writeFileSync(bundle, text);
} else if (readFileSync(bundle, 'utf8') !== text) {
  process.stderr.write('openapi.yaml differs from openapi/: run `npm run generate`, and edit the files in openapi/\n');
  process.exitCode = 1;
}
