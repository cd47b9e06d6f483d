/** Public API for custom rules. Separate from the engine's main API because it loads a parser. */
export type { BookNoiseRule, BookPolicyRule, BookRiskRule, RuleBook } from '../model/rule-book.ts';
export { compileRules } from './book.ts';
export { type DryRun, dryRun, type RuleToTry } from './dry-run.ts';
export type { ConfigIssue } from './issues.ts';
export { NO_ORG_RULES } from './no-org-rules.ts';
export { type Parsed, parseNoiseConfig, parsePolicyRules, parseRiskConfig } from './parse.ts';
export { compilePaths } from './paths.ts';
export { createPolicyAdjuster } from './policy-adjuster.ts';
export { type Preview, type ProposedRules, previewRules } from './preview.ts';
export { reviveChange } from './revive.ts';
export { createSelector, type Selected } from './select.ts';
export * from './types.ts';
