/** Judges texts in which the production environment becomes another one, and nothing else changes. */
import { member, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const PRODUCTION = /(?<![a-z])(?:production|prod|prd|live)(?![a-z])/gi;
const OTHER = /(?<![a-z])(?:staging|stage|stg|development|dev|testing|test|demo|sandbox|qa|uat|preview)(?![a-z])/gi;
/** Names of objects, and texts that people read, say nothing about what is used. */
const LABELS = listWords(
  'name description comment title message label tag text note summary owner contact subject display',
);
const WATCHES = listWords('query filter expression expr condition selector matcher match scope environment env');
/** What records everything until a filter says otherwise. */
const RECORDS = listWords('log index sink export trace metric audit');
const MAX_CHARS = 4_000;

export function judgeEnvironment(argument: Argument): ValueFinding | null {
  const { words, outer, type, before, after, purpose } = argument;
  if (hasAny(words, LABELS) || hasAny(outer, LABELS)) return null;
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  if (before.length > MAX_CHARS || after.length > MAX_CHARS) return null;
  const is_everything = /^\s{0,3}\*?\s{0,3}$/.test(before) && hasAny(words, WATCHES);
  if (!(is_everything && namesOther(after)) && !movesAway(before, after)) return judgeHost(argument, before, after);
  const is_about = purpose !== 'other' && purpose !== 'business';
  const is_watched = hasAny(words, WATCHES) && (is_about || (is_everything && hasAny(type, RECORDS)));
  return is_watched ? { ...FINDING, level: 'high', consequence: 'Production is no longer covered' } : FINDING;
}

const HOST: ValueFinding = {
  rule: 'R-VAL-ENVIRONMENT',
  level: 'medium',
  direction: 'neutral',
  consequence: 'The address is that of an environment for tests',
  beyond_rules: true,
};
const FINDING: ValueFinding = {
  rule: 'R-VAL-ENVIRONMENT',
  level: 'medium',
  direction: 'neutral',
  consequence: 'What belonged to production is replaced by what belongs to another environment',
  beyond_rules: true,
};

/** `db.acme.internal` becomes `db.staging.acme.internal`: a host of production has no environment in its name. */
const IN_HOST = /(?:(?<=[./@-])|^)(?:staging|stage|stg|sandbox|development|dev|test|testing|demo|qa|uat|preview)[.-]/i;
const IN_TAIL = /[.-](?:staging|stage|stg|sandbox|development|dev|test|testing|demo|qa|uat|preview)(?=[.-])/i;

/** Whether an address gains the name of an environment, in an object that does not belong to one. */
function judgeHost({ holders }: Argument, before: string, after: string): ValueFinding | null {
  if (before.length > 300 || !before.includes('.') || namesOther(before) || !namesOther(after)) return null;
  if (![IN_HOST, IN_TAIL].some((part) => after.replace(part, '') === before)) return null;
  return NAMES.some((name) => namesOther(text(member(holders.at(-1), name)))) ? null : HOST;
}

const NAMES = ['name', 'id', 'namespace', 'environment', 'project', 'stage'];

/** Whether both texts are equal but for names of environments, and production is only in the first one. */
function movesAway(before: string, after: string): boolean {
  if (before.search(PRODUCTION) < 0 || !namesOther(after)) return false;
  return blank(before) === blank(after);
}

function namesOther(text: string): boolean {
  return text.search(OTHER) >= 0 && text.search(PRODUCTION) < 0;
}

function blank(text: string): string {
  return text.replace(PRODUCTION, '\0').replace(OTHER, '\0');
}
