/** Services that a resource policy no longer allows: what they deliver is lost without an error. */
import type { RiskLevel } from '../../../model/result.ts';
import type { Statement } from './policy.ts';

export interface LostService {
  level: RiskLevel;
  service: string;
}

/** Services that alert or keep records. */
const RECORDS =
  /^(?:cloudwatch|budgets|costalerts|cloudtrail|config|config-multiaccountsetup|guardduty|securityhub|backup|delivery\.logs|logging\.s3|logdelivery\.elasticloadbalancing|vpc-flow-logs|inspector2?|access-analyzer|devops-guru|ssm-incidents|codestar-notifications)\./;

/** Returns the services that `before` allows something and `after` nothing, the gravest first. */
export function findLostServices(before: readonly Statement[], after: readonly Statement[]): LostService[] {
  const kept = listServices(after);
  if (kept.has('*')) return [];
  const lost = [...listServices(before)].filter((service) => service !== '*' && !kept.has(service));
  const rated = lost.map((service): LostService => ({ level: RECORDS.test(service) ? 'high' : 'medium', service }));
  return rated.sort((a, b) => Number(b.level === 'high') - Number(a.level === 'high'));
}

function listServices(statements: readonly Statement[]): Set<string> {
  const found = new Set<string>();
  for (const { allow, not_principals, principals } of statements) {
    if (!allow) continue;
    for (const { kind, value } of principals) if (kind === 'Service' || value === '*') found.add(value);
    if (not_principals) found.add('*');
  }
  return found;
}
