import { KNOWN_MATCHES } from './known-matches.ts';
import { type PulumiResource, singularize, toSnakeCase } from './pulumi.ts';
import type { Block, Schema } from './types.ts';

/** The resource that documents a type, and how alike the two are, 0–1. */
export interface Match {
  type: string;
  token: string;
  score: number;
}

/** Arguments that most resources have say nothing about which two belong together. */
const MAX_SHARE = 0.25;
const MIN_SCORE = 0.3;

interface Candidate extends Match {
  resource: PulumiResource;
}

/**
 * Pairs each Terraform type with the Pulumi resource of the most similar arguments and name, each used once.
 *
 * @returns pairs, best first; types without a resource of at least some similarity are missing
 */
export function matchResources(schema: Schema, resources: PulumiResource[]): (Match & { resource: PulumiResource })[] {
  const weights = weighArguments(resources);
  const candidates: Candidate[] = [];
  for (const [type, block] of schema) {
    const subject = { words: toWords(type.slice(type.indexOf('_') + 1)), keys: new Set([...block.keys()].map(toKey)) };
    const known = KNOWN_MATCHES[type];
    for (const resource of resources) {
      if (known !== undefined && known !== resource.token) continue;
      const score = known === undefined ? rateMatch(subject, resource, weights) : 1;
      if (score >= MIN_SCORE) candidates.push({ type, token: resource.token, score, resource });
    }
  }
  return pickBest(candidates);
}

interface Subject {
  words: Set<string>;
  keys: Set<string>;
}

function rateMatch({ words, keys }: Subject, resource: PulumiResource, weights: Map<string, number>): number {
  return 0.6 * compareSets(keys, toKeys(resource), weights) + 0.4 * compareSets(words, tokenWords(resource));
}

function pickBest(candidates: Candidate[]): Candidate[] {
  const used = new Set<string>();
  return candidates
    .sort((a, b) => b.score - a.score)
    .filter(({ type, token }) => {
      if (used.has(`t ${type}`) || used.has(`r ${token}`)) return false;
      used.add(`t ${type}`).add(`r ${token}`);
      return true;
    });
}

const keysByResource = new WeakMap<PulumiResource, Set<string>>();

function toKeys(resource: PulumiResource): Set<string> {
  const known = keysByResource.get(resource) ?? new Set([...resource.block.keys()].map(toKey));
  keysByResource.set(resource, known);
  return known;
}

const wordsByResource = new WeakMap<PulumiResource, Set<string>>();

function tokenWords(resource: PulumiResource): Set<string> {
  const known = wordsByResource.get(resource) ?? toWords(toSnakeCase(resource.token.replace('/', '_')));
  wordsByResource.set(resource, known);
  return known;
}

function toWords(name: string): Set<string> {
  return new Set(name.split('_'));
}

/** The name without its plural: the same for Terraform and Pulumi. */
function toKey(name: string): string {
  return singularize(name);
}

/** Weight of an argument: rare ones identify a resource. */
function weighArguments(resources: PulumiResource[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const resource of resources) for (const key of toKeys(resource)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const limit = resources.length * MAX_SHARE;
  return new Map(
    [...counts].map(([key, count]) => [key, count > limit ? 0.1 : Math.log(1 + resources.length / count)]),
  );
}

/** Weighted share of common elements. */
function compareSets(a: Set<string>, b: Set<string>, weights?: Map<string, number>): number {
  let common = 0;
  let all = 0;
  for (const one of a) {
    const weight = weights?.get(one) ?? 1;
    all += weight;
    if (b.has(one)) common += weight;
  }
  for (const one of b) if (!a.has(one)) all += weights?.get(one) ?? 1;
  return all === 0 ? 0 : common / all;
}

/** Adds texts, and blocks that the Terraform package leaves open, from the matching arguments of `from`. */
export function addDocumentation(to: Block, from: Block): void {
  const byKey = new Map([...from.values()].map((argument) => [toKey(argument.name), argument]));
  for (const argument of to.values()) {
    const source = byKey.get(toKey(argument.name));
    if (source === undefined) continue;
    if (argument.doc === '') argument.doc = source.doc;
    if (source.block === undefined) continue;
    if (argument.block !== undefined) addDocumentation(argument.block, source.block);
    else if (argument.kind === 'string' || argument.kind === 'list')
      Object.assign(argument, { kind: 'block', block: source.block });
  }
}

/** Adds the types and arguments of an older version of a package that the newer no longer has. */
export function addMissing(to: Schema, from: Schema): void {
  for (const [type, block] of from) {
    const known = to.get(type);
    if (known === undefined) to.set(type, block);
    else addMissingArguments(known, block);
  }
}

function addMissingArguments(to: Block, from: Block): void {
  for (const [name, argument] of from) {
    const known = to.get(name);
    if (known === undefined) to.set(name, argument);
    else if (known.block !== undefined && argument.block !== undefined)
      addMissingArguments(known.block, argument.block);
  }
}
