import type { CatalogRule } from './index.ts';
import { isRecord } from './signatures.ts';

/** One way to remove a noise pattern, with advantages and disadvantages. */
export interface CatalogFix {
  label: string;
  summary: string;
  detail: string;
  pros: string[];
  cons: string[];
}

/** Fixes for a noise pattern, best first. Never suggests a fix that could hide a change to access or protection. */
export function buildFixes(rule: CatalogRule): CatalogFix[] {
  const fixes = [isRecord(rule.signature) ? removeCause(rule) : rewrite(rule)];
  if (rule.fixed_in_version !== null) fixes.unshift(upgrade(rule, rule.fixed_in_version));
  if (canBeIgnored(rule)) fixes.push(ignore(rule));
  return fixes;
}

function upgrade({ provider }: CatalogRule, version: string): CatalogFix {
  return {
    label: 'Upgrade the provider',
    summary: `Provider ${provider} ${version} and later no longer plan this difference.`,
    detail: `Check the locked version in .terraform.lock.hcl; the plan does not contain it. Raise the constraint to at least ${version} and run init -upgrade.`,
    pros: ['Fixes the cause for every resource at once', 'Hides nothing'],
    cons: ['Also brings the other changes of the release'],
  };
}

function rewrite({ remedy }: CatalogRule): CatalogFix {
  return {
    label: 'Use the value that the service returns',
    summary: remedy,
    detail:
      'The next plan then compares equal values. Nothing needs to be applied, and later changes to the attribute stay visible.',
    pros: ['Works with every provider version', 'Later changes stay visible'],
    cons: ['You edit each resource separately'],
  };
}

function removeCause({ remedy }: CatalogRule): CatalogFix {
  return {
    label: 'Remove the cause',
    summary: remedy,
    detail:
      'The value is a record, and nothing depends on it. Until the cause is removed, the plan shows a new value each time.',
    pros: ['Other keys and attributes are still compared'],
    cons: ['The difference returns if something records the value again'],
  };
}

/** A rule about every provider names many attributes, and ignoring all tags would hide more than one stamp. */
function canBeIgnored({ provider, severity, signature, category }: CatalogRule): boolean {
  if (provider === null) return false;
  const is_access = signature.is === 'policy' || (signature.is === 'json' && signature.unordered === true);
  return severity !== 'caution' && category !== 'case_normalization' && !is_access;
}

function ignore({ paths }: CatalogRule): CatalogFix {
  const names = [...new Set(paths.map((path) => path.split('.')[0] as string))].join(', ');
  return {
    label: 'Ignore changes to the attribute',
    summary: `Add lifecycle { ignore_changes = [${names}] } to the resource.`,
    detail:
      'Terraform then ignores every change to the attribute. Add the block to the resource itself; the caller of a module cannot set it.',
    pros: ['Removes the noise at once'],
    cons: ['Also hides real changes to the attribute', 'The configuration may no longer match the real resource'],
  };
}
