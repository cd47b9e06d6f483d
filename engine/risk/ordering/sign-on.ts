/** Rules of sign-on policies: the first rule that matches a login decides what it must show. */
import type { JsonObject } from '../../model/result.ts';
import { member, text, truth } from '../attributes/values.ts';
import { DENIES, type OrderedKind, pick, says } from './kind.ts';

/** From one factor to phishing-resistant factors; a refusal is the strictest. */
function rateDemand(rule: JsonObject): number | undefined {
  if (says(rule, 'status', /^INACTIVE$/i)) return undefined;
  if (says(rule, 'access', DENIES)) return 3;
  const demands = ['constraints', 'primary_factor', 'type', 'mfa_prompt'].map((name) =>
    JSON.stringify(member(rule, name) ?? ''),
  );
  if (demands.some((demand) => /phishingResistant|hardwareProtection|PHISHING_RESISTANT/.test(demand))) return 2;
  const two =
    says(rule, 'factor_mode', /^2FA$/i) ||
    truth(member(rule, 'mfa_required')) === true ||
    says(rule, 'access', /^CHALLENGE$/i) ||
    text(member(rule, 'mfa_prompt')) !== '';
  return two ? 1 : 0;
}

const MATCHED = {
  group: ['groups_included', 'group_whitelist'],
  user: ['users_included', 'user_whitelist'],
  zone: ['network_includes'],
  client: ['client_whitelist'],
  scope: ['scope_whitelist'],
};

export const SIGN_ON_KINDS: readonly OrderedKind[] = [
  {
    types: [
      'okta_app_signon_policy_rule',
      'okta_policy_rule_signon',
      'okta_policy_rule_mfa',
      'okta_policy_rule_password',
      'okta_policy_rule_idp_discovery',
    ],
    list: 'policy_id',
    priority: 'priority',
    strictness: rateDemand,
    match: (rule) => pick(rule, MATCHED),
  },
  {
    types: ['okta_auth_server_policy_rule'],
    list: 'policy_id',
    within: ['auth_server_id'],
    priority: 'priority',
    strictness: rateDemand,
    match: (rule) => pick(rule, MATCHED),
  },
];
