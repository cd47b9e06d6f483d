import type { ResourceChange } from '../changes/types.ts';
import type { AttributeDiff } from '../model/result.ts';
import type { BookNoiseRule, RuleBook } from '../model/rule-book.ts';
import { compilePaths } from './paths.ts';
import { createSubjectSelector } from './select.ts';
import { Subject } from './subject.ts';
import type { Condition, NoiseRuleConfig, OrgRules, PolicyRule, RunContext, Suppression } from './types.ts';

/**
 * Compiles an organization's rules for one run.
 *
 * @param rules validated rules
 * @throws PathError for an invalid path; an invalid pattern throws PatternError on first use
 */
export function compileRules(rules: OrgRules, context: RunContext): RuleBook {
  const noise = createSubjectSelector(rules.noise_rules.map(bindNoiseRule), context);
  const risk = createSubjectSelector(
    rules.risk_rules.map(({ id, name, config }) => ({ ...config, id, name })),
    context,
  );
  const policy = createSubjectSelector(
    rules.policy.rules.filter((rule) => isInForce(rule, context.now)),
    context,
  );
  const suppressions = indexSuppressions(rules.suppressions, context.now);
  const toSubject = createSubjectCache();
  return {
    noiseRules: (change) => noise(toSubject(change)).map(({ rule }) => rule.book),
    riskRules: (change) =>
      risk(toSubject(change)).map(({ rule: { id, name, effect, level, message }, path }) => {
        return { id, name, effect, level, message, path };
      }),
    policyRules: (change) =>
      policy(toSubject(change)).map(({ rule: { id, name, effect, level, reason }, path }) => {
        return { id, name, effect, level: effect === 'block' ? null : (level ?? null), reason, path };
      }),
    suppression: (fingerprint, address) => suppressions.get(address)?.get(fingerprint) ?? null,
    hasSuppressions: (address) => suppressions.has(address),
    disabled_noise: new Set(rules.disabled.noise),
    disabled_risk: new Set(rules.disabled.risk),
    owners: rules.owners,
    policy_version: rules.policy.version,
  };
}

interface BoundNoiseRule extends Condition {
  book: BookNoiseRule;
}

function bindNoiseRule({ id, config }: { id: string; config: NoiseRuleConfig }): BoundNoiseRule {
  const isNamed = config.attributes === undefined ? null : compilePaths(config.attributes);
  const covers = ({ path_segments }: AttributeDiff) => isNamed === null || isNamed(path_segments);
  return { ...config, book: { id, severity: config.severity, only: config.attributes_mode !== 'any', covers } };
}

function isInForce({ enabled, expires_at }: PolicyRule, now: Date): boolean {
  return enabled && isLive(expires_at, now);
}

function isLive(expires_at: string | null | undefined, now: Date): boolean {
  return expires_at === undefined || expires_at === null || now.getTime() < Date.parse(expires_at);
}

/** Ids by address, then by fingerprint. */
function indexSuppressions(suppressions: readonly Suppression[], now: Date): Map<string, Map<string, string>> {
  const index = new Map<string, Map<string, string>>();
  for (const { id, fingerprint, resource_address, expires_at } of suppressions) {
    if (!isLive(expires_at, now)) continue;
    const known = index.get(resource_address);
    if (known === undefined) index.set(resource_address, new Map([[fingerprint, id]]));
    else known.set(fingerprint, id);
  }
  return index;
}

/** Caches the last change only: noise, risk and policy rules evaluate the same change in a row. */
function createSubjectCache(): (change: ResourceChange) => Subject {
  let last: Subject | undefined;
  return (change) => {
    if (last?.change !== change) last = new Subject(change);
    return last;
  };
}
