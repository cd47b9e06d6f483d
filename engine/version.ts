/** Semver of the rule set: the same plan, rules and policy give the same result under the same version. */
export const ENGINE_VERSION = '1.3.0';
