/**
 * `npm run check:patterns [-- --fresh]`: checks that every regular expression of the program runs in linear time.
 * Earlier results are stored in proofs.json in this folder; `--fresh` ignores them.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { recordBuiltPatterns } from './built-patterns.ts';
import { BUILDERS } from './exceptions.ts';
import { readProofs, writeProofs } from './proofs.ts';
import type { Verdict } from './prove.ts';
import { type DynamicSite, findContractPatterns, findPatterns, type Pattern } from './source-patterns.ts';

const FOLDERS = ['engine', 'server', 'bot', 'cli/src'];
/** Modules that together load the whole engine. */
const ENGINE = ['engine/index.ts', 'engine/rules/index.ts', 'engine/explain/index.ts'];
const ADVICE =
  'Rewrite it so that no text can be read in two ways (anchor it, bound it, make neighbors disjoint), or use string functions.';

const root = process.cwd();
const { literals, dynamic } = findPatterns(root, FOLDERS);
const built = await recordBuiltPatterns(root, [...new Set([...ENGINE, ...dynamic.map(({ file }) => file)])]);
const problems = dynamic.flatMap((site) => describeSite(site, built));

const sites_by_key = groupByText([...literals, ...built, ...findContractPatterns(root, 'openapi.yaml')]);
const known = process.argv.includes('--fresh') ? new Map<string, Verdict>() : readProofs(root);
const unknown = [...sites_by_key].filter(([key]) => !known.has(key)).map(([, [first]]) => first as Pattern);
const proven = await proveAll(unknown);
const verdicts = new Map([...sites_by_key.keys()].map((key) => [key, (proven.get(key) ?? known.get(key)) as Verdict]));
writeProofs(root, verdicts);
for (const [key, verdict] of verdicts) problems.push(...describeVerdict(sites_by_key.get(key) ?? [], verdict));

for (const problem of problems) console.error(problem);
const count = (kind: Verdict['kind']) => [...verdicts.values()].filter((verdict) => verdict.kind === kind).length;
console.log(
  `${verdicts.size} patterns (${unknown.length} not checked before): ${count('proven')} proven linear, ${count('withstood')} withstood every attack, ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

function groupByText(patterns: readonly Pattern[]): Map<string, Pattern[]> {
  const sites_by_key = new Map<string, Pattern[]>();
  for (const pattern of patterns) {
    const key = formatPattern(pattern);
    sites_by_key.set(key, [...(sites_by_key.get(key) ?? []), pattern]);
  }
  return sites_by_key;
}

function describeSite({ file, line, in_function }: DynamicSite, built: readonly Pattern[]): string[] {
  const location = `${file}:${line}`;
  if (in_function && !BUILDERS.has(file)) {
    return [
      `${location} builds a regular expression inside a function. Build it when the module loads, use re2js for patterns of users, or name the file in checks/patterns/exceptions.ts with a reason.`,
    ];
  }
  const is_recorded = built.some((pattern) => pattern.file === file && pattern.line === line);
  return is_recorded
    ? []
    : [`${location} builds a regular expression that loading the module does not show. Make its parts constants.`];
}

function describeVerdict(patterns: readonly Pattern[], verdict: Verdict): string[] {
  if (verdict.kind === 'proven' || verdict.kind === 'withstood') return [];
  const why =
    verdict.kind === 'unknown'
      ? `cannot be checked (${verdict.why}). Make it simpler.`
      : `is ${verdict.complexity}.\n  attack: ${verdict.attack}\n  ${ADVICE}`;
  return patterns.map(({ file, line, source, flags }) => `${file}:${line} /${source}/${flags}\n  ${why}`);
}

/** Uses one thread per core; each has its own checker process. */
async function proveAll(patterns: readonly Pattern[]): Promise<Map<string, Verdict>> {
  const filename = fileURLToPath(new URL('./prove.js', import.meta.url));
  const threads = availableParallelism();
  const pool = new Piscina({ filename, minThreads: threads, maxThreads: threads });
  const proven = patterns.map(async (pattern) => {
    const verdict: Verdict = await pool.run(pattern);
    if (process.argv.includes('--verbose')) console.log(formatPattern(pattern), verdict.kind);
    return [formatPattern(pattern), verdict] as const;
  });
  const verdicts = new Map(await Promise.all(proven));
  await pool.destroy();
  return verdicts;
}

function formatPattern({ source, flags }: Pattern): string {
  return `/${source}/${flags}`;
}
