/** A retired word that is right in one place. */
export interface Exception {
  /** A file, or a folder that ends in `/`; a path from the root of the repository. */
  path: string;
  /** `word` of an entry of words.ts. */
  word: string;
  reason: string;
}

const LLM_ERROR_CLASS = "`cancelled` is an error class of model calls, stored in traces and in workers' messages";

export const EXCEPTIONS: readonly Exception[] = [
  { path: 'server/db/migrations.ts', word: 'upkeep', reason: 'the name of a merged migration' },
  { path: 'engine/explain/prompts/', word: 'speaks for', reason: 'released prompts do not change' },
  { path: 'server/domains/billing/', word: 'cancelled', reason: 'an audit action of the interface specification' },
  { path: 'test/domains/billing/', word: 'cancelled', reason: 'an audit action of the interface specification' },
  { path: 'docs/billing.md', word: 'cancelled', reason: 'an audit action of the interface specification' },
  {
    path: 'test/service/billing.api.test.ts',
    word: 'cancelled',
    reason: 'an audit action of the interface specification',
  },
  { path: 'openapi/schemas/shared.yaml', word: 'cancelled', reason: 'an error code of scans in the contract' },
  { path: 'openapi/schemas/resources.yaml', word: 'cancelled', reason: 'an error code of scans in the contract' },
  { path: 'docs/inventory.md', word: 'cancelled', reason: 'an error code of scans in the contract' },
  { path: 'server/domains/scans/types.ts', word: 'cancelled', reason: 'an error code of scans in the contract' },
  { path: 'openapi/paths/scans.yaml', word: 'cancelled', reason: 'an error code of scans in the contract' },
  { path: 'server/domains/cloud-scans/', word: 'cancelled', reason: 'an error code of scans in the contract' },
  { path: 'test/cli/scans.test.ts', word: 'cancelled', reason: 'an error code of scans in the contract' },
  { path: 'test/domains/cloud-scans/', word: 'cancelled', reason: 'an error code of scans in the contract' },
  { path: 'test/service/scans.api.test.ts', word: 'cancelled', reason: 'an error code of scans in the contract' },
  { path: 'server/adapters/llm/', word: 'cancelled', reason: LLM_ERROR_CLASS },
  { path: 'server/domains/analysis/', word: 'cancelled', reason: LLM_ERROR_CLASS },
  { path: 'server/domains/llm/', word: 'cancelled', reason: LLM_ERROR_CLASS },
  { path: 'test/adapters/llm/', word: 'cancelled', reason: LLM_ERROR_CLASS },
  { path: 'test/domains/llm/', word: 'cancelled', reason: LLM_ERROR_CLASS },
  { path: 'test/fakes/github-server/', word: 'cancelled', reason: "a conclusion of GitHub's check runs" },
  { path: 'engine/risk/generic-types/kubernetes.ts', word: 'gate', reason: 'a word in names of arguments' },
  { path: 'engine/risk/meaning/values/choices.ts', word: 'gate', reason: 'a word in names of arguments' },
  { path: 'engine/risk/meaning/values/modes.ts', word: 'gate', reason: 'a word in names of arguments' },
  { path: 'test/cli/analyze.test.ts', word: 'analyse', reason: 'a typing error that the command corrects' },
];
