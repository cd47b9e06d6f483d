/**
 * `npm run evaluate [-- <file or kind> …]`: asks the model of `LLM_PLATFORM_…` every case of the evaluation sets and holds
 * its answers against what a good one mentions. Exit 1 when a case failed, 2 when no model is configured.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate } from './evaluate-run.ts';

const SETS = 'test/engine/explain/evaluations';

const wanted = process.argv.slice(2);
const files = readdirSync(SETS)
  .filter((name) => name.endsWith('.json'))
  .map((name) => join(SETS, name))
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)));
process.exitCode = await evaluate({ files, env: process.env, print: console.log });
