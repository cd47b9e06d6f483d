/** Compiles the schemas that the fake of Stripe is checked against, from the types of the installed package `stripe`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileRoots } from './compile.ts';

const ROOTS = fileURLToPath(new URL('./roots.ts', import.meta.url));
const OUT = fileURLToPath(new URL('../../test/fixtures/stripe/objects.schema.json', import.meta.url));
const PACKAGE = new URL('../../node_modules/stripe/', import.meta.url);

const read = (name: string) => readFileSync(new URL(name, PACKAGE), 'utf8').trim();
const { version } = JSON.parse(read('package.json'));
const { roots, shared } = compileRoots(ROOTS);
const source = { package: `stripe@${version}`, openapi: read('OPENAPI_VERSION'), license: 'MIT' };
const lines = (schemas: object) =>
  Object.entries(schemas).map(([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`);
const [properties, $defs] = [roots, shared].map((schemas) => `{\n${lines(schemas).join(',\n')}\n}`);
const text = `{"$comment":${JSON.stringify(JSON.stringify(source))},\n"properties":${properties},\n"$defs":${$defs}}\n`;
writeFileSync(OUT, text);
console.log(`${Object.keys(roots).length} objects, ${Object.keys(shared).length} shared types`);
