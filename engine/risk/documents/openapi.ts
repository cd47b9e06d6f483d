/** Judges the security requirements of operations in API descriptions (OpenAPI, Swagger). */
import type { DocumentDifference } from '../../documents/types.ts';
import type { SettingFinding } from './settings.ts';

const REQUIREMENTS = new Set<string | number>(['security', 'x-amazon-apigateway-auth', 'x-google-api-key']);
const MAX_SEARCHED = 2000;

/**
 * Finds operations that lose their security requirement and get no other.
 *
 * @returns the difference that takes it away, and what follows
 */
export function findLostSecurity(
  differences: readonly DocumentDifference[],
): { difference: DocumentDifference; found: SettingFinding } | null {
  const searched = differences
    .slice(0, MAX_SEARCHED)
    .filter(({ path }) => REQUIREMENTS.has(path[findDepth(path)] ?? ''));
  const gained = new Set(searched.filter(({ before }) => before === undefined).map(formatOperation));
  const lost = searched.find((difference) => isEmpty(difference.after) && !gained.has(formatOperation(difference)));
  if (lost === undefined) return null;
  const consequence = 'Callers of an operation no longer have to authenticate';
  return { difference: lost, found: { level: 'high', direction: 'weakening', consequence } };
}

/** Only below `paths`, or at the root. */
function findDepth(path: DocumentDifference['path']): number {
  return path[0] === 'paths' ? path.findIndex((segment) => REQUIREMENTS.has(segment)) : 0;
}

function formatOperation({ path }: DocumentDifference): string {
  return path.slice(0, findDepth(path)).join('\n');
}

function isEmpty(value: DocumentDifference['after']): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
