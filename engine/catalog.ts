import { buildFixes, type CatalogFix } from './noise-catalog/fixes.ts';
import { type CatalogRule, NOISE_RULES } from './noise-catalog/index.ts';
import { type RiskRule, riskRules } from './risk/attributes/rule-catalog.ts';
import { collectTypes } from './risk/categories.ts';

export type CatalogProvider = 'aws' | 'gcp' | 'azure';

/** Built-in rules of this release and the resource types of each risk category. */
export interface Catalog {
  noise_rules: (Pick<CatalogRule, 'id' | 'category' | 'severity' | 'title' | 'description' | 'fixed_in_version'> & {
    /** Null for a rule about every provider. */
    provider: CatalogProvider | null;
    fixes: CatalogFix[];
  })[];
  /** Sorted by id. A provider filter omits rules for resource types of other providers. */
  risk_rules: RiskRule[];
  risk_encryption_types: string[];
  risk_iam_types: string[];
  risk_network_types: string[];
  risk_security_types: string[];
  risk_stateful_types: string[];
}

const PROVIDERS = { aws: 'aws', azurerm: 'azure', google: 'gcp' } as const;
const PREFIXES = { aws: /^aws_/, azure: /^(?:azurerm|azapi)_/, gcp: /^google_/ } as const;

/**
 * The whole catalog, or the part for one provider.
 *
 * @param resource_type only risk rules that evaluate this type, with those of the tables, which are not listed otherwise
 * @see openapi.yaml, Catalog
 */
export function builtinCatalog(provider: CatalogProvider | null, resource_type: string | null = null): Catalog {
  const rules = NOISE_RULES.filter((rule) => provider === null || [null, provider].includes(findProvider(rule)));
  const types = (category: Parameters<typeof collectTypes>[0]) =>
    collectTypes(category).filter((type) => matchesProvider(provider, type));
  return {
    noise_rules: rules.map((rule) => ({
      id: rule.id,
      provider: findProvider(rule),
      category: rule.category,
      severity: rule.severity,
      title: rule.title,
      description: rule.description,
      fixed_in_version: rule.fixed_in_version,
      fixes: buildFixes(rule),
    })),
    risk_rules: riskRules(resource_type).filter((rule) => matchesProvider(provider, rule.resource_type)),
    risk_encryption_types: types('encryption'),
    risk_iam_types: types('iam'),
    risk_network_types: types('network'),
    risk_security_types: types('security'),
    risk_stateful_types: types('stateful'),
  };
}

function findProvider({ provider }: CatalogRule): CatalogProvider | null {
  return provider === null ? null : PROVIDERS[provider];
}

function matchesProvider(provider: CatalogProvider | null, type: string | null): boolean {
  return provider === null || type === null || PREFIXES[provider].test(type);
}
