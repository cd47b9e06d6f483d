/** Judges addresses of identity providers that accept the accounts of every tenant. */
import { list, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';

const EVERY_TENANT =
  /(?:login\.microsoftonline\.com|login\.windows\.net|sts\.windows\.net)\/(?:common|organizations|consumers)(?:\/|"|\s|$)/i;
const MAX_CHARS = 100_000;

export function judgeTenant({ before, after }: Argument): ValueFinding | null {
  if (!namesEveryTenant(after) || namesEveryTenant(before)) return null;
  return {
    rule: 'R-VAL-WILDCARD',
    level: 'high',
    direction: 'weakening',
    consequence: 'Accounts of every tenant are accepted',
    beyond_rules: true,
  };
}

function namesEveryTenant(value: Argument['after']): boolean {
  return list(value).some((item) => EVERY_TENANT.test(text(item).slice(0, MAX_CHARS)));
}
