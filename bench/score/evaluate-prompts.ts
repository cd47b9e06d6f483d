/**
 * `npm run evaluate [-- <kind or version> …]`: sends every case of the evaluation sets to the model in
 * `LLM_PLATFORM_…`, and checks its answers. Exits with 1 if too many cases fail, 2 if no model is configured.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { evaluate } from './evaluate-run.ts';
import { canEvaluate } from './evaluation.ts';

const SETS = 'test/engine/explain/evaluations';

const selected = process.argv.slice(2);
const versions = readdirSync(SETS)
  .filter((name) => name.endsWith('.json'))
  .map((name) => basename(name, '.json'))
  .filter((version) => selected.length === 0 || selected.some((prefix) => version.startsWith(prefix)));
const [runnable, others] = [versions.filter(canEvaluate), versions.filter((version) => !canEvaluate(version))];
for (const version of others) console.log(`${version}: is checked by the test suite alone`);
const files = runnable.map((version) => join(SETS, `${version}.json`));
process.exitCode = await evaluate({ files, env: process.env, print: console.log });
