import { splitWords } from '../../../effects/words.ts';
import { isObject } from '../../../lib/is-object.ts';
import type { Argument } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Words of what protects, decides, pays, or acts on the world: settings next to them are not only tuned. */
const STAKES = listWords(
  'policy rule guard guardrail control controller safety alarm alert approval approver reviewer review audit check lock ' +
    'lockout tamper notify contact oncall emergency sanction fraud kyc hold payout payroll credential issuer certificate ' +
    'wallet signer kill decision breach protection detection moderation proctoring compliance firewall auth identity ' +
    'interlock restriction permission perimeter secret privacy redaction blocked denied',
);
const MAX_NAMES = 200;

/** Whether the type of an unknown resource, or another of its arguments, says that it protects or decides something. */
export function hasStakes({ type, holders }: Argument): boolean {
  if (hasAny(type, STAKES)) return true;
  const resource = holders.at(-1);
  if (!isObject(resource)) return false;
  return Object.keys(resource)
    .slice(0, MAX_NAMES)
    .some((name) => splitWords(name).some((word) => STAKES.has(word)));
}
