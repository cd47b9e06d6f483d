import type { Operation } from '../contract/operations.ts';
import type { Answer } from './exchange.ts';

/** The response to store for replays: secrets that are shown once are removed, and the body says so. */
export function withoutSecrets({ secret_fields }: Operation, answer: Answer): Answer {
  if (secret_fields.length === 0 || answer.status >= 300 || answer.body === undefined) return answer;
  const members = Object.entries(JSON.parse(answer.body) as Record<string, unknown>);
  const kept = members.filter(([name]) => !secret_fields.includes(name));
  return { ...answer, body: JSON.stringify({ ...Object.fromEntries(kept), secret_available: false }) };
}
