/** Semantic version of the rule set: the same plan, rules and policy produce the same result with the same version. */
export const ENGINE_VERSION = '1.8.0';
