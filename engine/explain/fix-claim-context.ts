import type { ClaimContext } from './claims.ts';

const COUNTS = {
  total: 0,
  destructive: 0,
  create: 0,
  update: 0,
  delete: 0,
  replace: 0,
  import: 0,
  move: 0,
  forget: 0,
} as const;

/** Advice that a model must not give. */
const FORBIDDEN_CLAIMS: ClaimContext['forbidden'] = [
  [
    /\b(?:disabl|weaken|unprotect|unencrypt|loosen|relax)\w*\b|\b(?:switch|turn)\w*\s+(?:\w+\s+){0,4}off\b|\boff\s+(?:the\s+)?(?:encryption|protection|logging|backups?)\b/,
    'removes protection',
  ],
  [
    /\b(?:public(?:ly)?|the (?:whole )?(?:world|internet)|anyone|everyone|everybody|wildcards?|administrators?|full access|open(?:s|ed|ing)?\s+(?:it|up|to)|allow\w*\s+(?:all|any|every)|grant\w*\s+(?:all|any|every|full|more))\b/,
    'opens access',
  ],
  [
    /\b(?:delet|destroy|wip|purg|eras|taint|untaint|terminat|recreat)\w*\b|\bdrop(?:s|ped|ping)?\b/,
    'destroys something',
  ],
  [
    /\b(?:state (?:rm|mv|push|remove)|auto-?approve|refresh-only|force-unlock|curl|wget|sudo|bash|powershell|chmod)\b/,
    'contains a command',
  ],
  [/\b(?:approv\w*|lgtm|sign(?:s|ed)? off|reviewers?)\b/, 'mentions an approval'],
  [/\b(?:medium|moderate)[\s-]+(?:\w+\s+)?(?:risk|severity|level)\b/, 'states a level'],
];

/**
 * Context for sentences about fix options. There is no plan, so they must not contain counts or levels, and they must
 * not reassure.
 */
export const FIX_CLAIM_CONTEXT: ClaimContext = {
  analysis: { summary: COUNTS, changes: [] },
  plan_levels: ['medium'],
  allowedLevels: () => [],
  forbidden: FORBIDDEN_CLAIMS,
};
