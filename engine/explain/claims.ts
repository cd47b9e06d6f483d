import { compareLevels, isAtLeast } from '../model/levels.ts';
import type { Change, PlanAnalysis, RiskLevel } from '../model/result.ts';
import { deniesHazard } from './denials.ts';
import { inDigits, NUMBER_WORD } from './numbers.ts';
import { createProximityTest } from './proximity-test.ts';

type Counted = Pick<
  PlanAnalysis['summary'],
  'total' | 'destructive' | 'create' | 'update' | 'delete' | 'replace' | 'import' | 'move' | 'forget'
>;

/** A pattern for a claim; a regular expression is one. */
interface Claim {
  test(text: string): boolean;
}

/** Facts against which a sentence is checked. */
export interface ClaimContext {
  analysis: { summary: Counted; changes: readonly Change[] };
  /** Levels that a sentence may state for the plan. */
  plan_levels: readonly RiskLevel[];
  /** Levels that a sentence may state for a change. */
  allowedLevels(change: Change): readonly RiskLevel[];
  /** The sentence is about data of a resource, which an update can delete too. */
  is_about_data?: boolean;
  /** Additional forbidden claims, with the reason. */
  forbidden?: readonly (readonly [Claim, string])[];
}

const DECISION =
  '(?:appl|approv|merg|proceed|deploy|ship|accept|ignor|disregard|skip|roll)(?:y|ies|ied|ying|e|es|ed|ing)?';

const DECISION_WORD = new RegExp(`\\b${DECISION}\\b`, 'g');

/** Claims that a model must never make. */
const FORBIDDEN_CLAIMS: readonly (readonly [Claim, string])[] = [
  [createProximityTest(/\bsafe(?:ly|ty)?\b/g, DECISION_WORD, 60), 'calls it safe'],
  [createProximityTest(DECISION_WORD, /\bsafe(?:ly)?\b/g, 40), 'calls it safe'],
  [
    new RegExp(
      `\\b(?:can|may|should|could|must|shall|please|let's|ahead|ready|fine|okay?|good|free|recommend(?:ed)?|suggest(?:ed)?|advise[ds]?|just|simply)\\b(?:\\s+(?:now|be|then|to|and|that|you|we|with|the|this|it|plan|immediately))*\\s+${DECISION}\\b`,
    ),
    'decides about the plan',
  ],
  [
    new RegExp(`^(?:please\\s+)?${DECISION}\\s+(?:it|this|the|now|without|immediately|at)\\b`),
    'decides about the plan',
  ],
  [
    /\b(?:pre-?approved|approved by|lgtm|ship it|looks? (?:good|fine|safe|okay?|correct)|all good|all clear|good to go|no brainer|signed off|sign-off (?:is|was|has)|security team|rubber)/,
    'mentions an approval',
  ],
  [
    /\b(?:already|was|were|been|is|are|got|has|have|fully)\s+(?:\w+\s+)?(?:approved|reviewed|verified|audited|tested|vetted|authori[sz]ed|validated|cleared|confirmed|backed up)\b/,
    'states something that the plan does not contain',
  ],
  [
    /\b(?:ignore|disregard|overlook|bypass(?=\s(?:\w+\s){0,2}(?:rule|check|review|warning|approval|finding|plan|analysis|polic|it\b|this\b))|skip|nothing to (?:see|worry|fear|check|review|do))\b/,
    'decides about the plan',
  ],
  [
    createProximityTest(
      /\b(?:rules?|levels?|rating|analysis|tool|scanner|report|warnings?|summary)\b/g,
      /\b(?:wrong|mistaken|incorrect|overstated?|exaggerat\w+|too high|outdated|bug|error|false|misleading)\b/g,
      40,
    ),
    'contradicts the rules',
  ],
  [/\bfalse (?:alarm|positive)s?\b/, 'contradicts the rules'],
  [
    /\b(?:system prompt|instruct(?:ed|ions?)|as an ai|language model|assistant|user message|my (?:task|role|rules)|json document|jailbreak|developer mode)\b/,
    'mentions the model or its prompt',
  ],
];

/** Reassuring words, forbidden at level medium or above. */
const REASSURING =
  /\b(?:safe|safely|harmless|benign|trivial(?:ly)?|routine|cosmetic|minor(?! version)|negligible|insignificant|innocuous|uneventful|unproblematic|riskless|risk-free|no-op|nothing (?:bad|important|serious|critical)|no (?:need|reason|cause)|need not|not necessary|unnecessary|fine(?!-)|(?:no|little|zero|low|minimal|hardly any|without(?: any)?)[\s-]+(?:\w+\s+){0,2}(?:risk|danger|concern|worry|worries|harm|threat|impact|effect|consequences?))\b/;
/** Belittling words; "only a backup", "so only the login protects the data" and "only after" do not count. */
const BELITTLING =
  /\b(?:(?<!\b(?:so|then|and|may|can|will|would|now|could|where|leaves?|means?) )only(?! (?:an?|the|its) (?:\w+ )?(?:backup|snapshot)| (?:after|if|when|once|until|by|from|through|with))|just|merely|solely|purely|simply|housekeeping|clean-?up|additive|nothing (?:else|more))\b/;
const NO_CHANGE =
  /\b(?:no changes?|nothing (?:changes|is changed|will change|happens)|empty plan|no-op plan|changes nothing|does nothing)\b/;
const ALL_KEPT = createProximityTest(
  /\b(?:all|every|everything|existing|nothing)\b/g,
  /\b(?:kept|preserved|retained|intact|unaffected|untouched|unchanged|survives?)\b/g,
  40,
);
const NOTHING_LOST = createProximityTest(/\bnothing\b/g, /\blost\b/g, 40);
const NON_DESTRUCTIVE =
  /\b(?:created|updated?|updates|modified|imported|moved|renamed|kept|preserved|retained|untouched|unchanged|unaffected|remains?|stays?|survives?|in[- ]place)\b/;
const DESTROYING = /\b(?:destr|delet|remov|replac|terminat|recreat|los[est]|gone|goes)/;
const PASSIVE_DESTROYED =
  /(?<!\b(?:cannot|never|not|longer)\s)\b(?:is|are|be|gets?|being|been)\s+(?:\w+\s+)?(?:destroyed|deleted|replaced|terminated|recreated|wiped)\b/;

/**
 * Why a sentence is rejected, or null: it decides about the plan, reassures despite a risk, or contradicts an action, a
 * number or a level of the analysis.
 *
 * @param text lowercase, without names
 * @param about changes that the sentence names
 */
export function findClaimFault(text: string, about: readonly Change[], context: ClaimContext): string | null {
  for (const [pattern, why] of [...FORBIDDEN_CLAIMS, ...(context.forbidden ?? [])]) if (pattern.test(text)) return why;
  const { summary } = context.analysis;
  const worst = about.length > 0 ? findHighestLevel(about, context) : findHighest(context.plan_levels);
  if (isAtLeast(worst, 'medium') && REASSURING.test(text)) return 'reassures despite a risk';
  if (about.length === 0 && isAtLeast(worst, 'high') && BELITTLING.test(text)) return 'belittles the plan';
  if (summary.total > 0 && NO_CHANGE.test(text)) return 'denies that anything changes';
  if (summary.destructive > 0 && (about.length === 0 || about.some(destroys))) {
    if (deniesHazard(text) || ALL_KEPT.test(text) || NOTHING_LOST.test(text))
      return 'denies that something is destroyed';
  }
  if (about.some(destroys) && NON_DESTRUCTIVE.test(text) && !DESTROYING.test(text))
    return 'states a wrong action for a change';
  if (context.is_about_data !== true && about.length > 0 && !about.some(destroys) && PASSIVE_DESTROYED.test(text))
    return 'states a wrong action for a change';
  if (!hasCorrectCounts(text, context)) return 'states a wrong count';
  return hasAllowedLevels(text, about, context) ? null : 'states a wrong level';
}

function destroys({ action }: Change): boolean {
  return action === 'delete' || action === 'replace';
}

function findHighest(levels: readonly RiskLevel[]): RiskLevel {
  return levels.reduce((a, b) => (compareLevels(a, b) >= 0 ? a : b), 'none');
}

function findHighestLevel(about: readonly Change[], context: ClaimContext): RiskLevel {
  return findHighest(about.flatMap((change) => context.allowedLevels(change)));
}

const VERBS: readonly (readonly [string, (summary: Counted) => number[]])[] = [
  ['destroy(?:s|ed)?|terminat(?:es?|ed)', (s) => [s.destructive, s.delete, s.replace]],
  ['delet(?:es?|ed)|remov(?:es?|ed)', (s) => [s.delete, s.destructive]],
  ['replac(?:es?|ed)|recreat(?:es?|ed)', (s) => [s.replace]],
  ['creat(?:es?|ed)|add(?:s|ed)', (s) => [s.create, s.create + s.replace]],
  ['updat(?:es?|ed)|modif(?:y|ies|ied)', (s) => [s.update]],
  ['import(?:s|ed)', (s) => [s.import]],
  ['mov(?:es?|ed)', (s) => [s.move]],
  ['forg(?:ets?|otten)', (s) => [s.forget]],
];
const THINGS = '(?:resources?|changes?|objects?|items?|of|the|them|these|plan|managed|existing)';
const COUNTED = VERBS.map(([verb, readCounts]) => ({
  before: new RegExp(
    `\\b(${NUMBER_WORD})\\s+((?:[a-z-]+\\s+){0,4}?)(?:(?:will\\s+be|are|is|to\\s+be|gets?|being|to)\\s+)?(?:${verb})\\b`,
    'g',
  ),
  after: new RegExp(`\\b(?:${verb})\\s+(?:(?:all|only|just)\\s+)?(${NUMBER_WORD})\\s+((?:[a-z-]+\\s*){0,1})`, 'g'),
  countsOf: readCounts,
}));
const GENERIC = new RegExp(`^(?:${THINGS}\\s*)*$`);

/** A count of resources must equal the plan's; a count of one kind of resources must not exceed it. */
function hasCorrectCounts(text: string, { analysis }: ClaimContext): boolean {
  for (const { before, after, countsOf: readCounts } of COUNTED) {
    const counts = readCounts(analysis.summary);
    for (const pattern of [before, after]) {
      for (const [, number, words] of text.matchAll(pattern)) {
        const stated = Number(inDigits(number as string));
        if (stated === 1 && number === 'one') continue;
        const right = GENERIC.test((words as string).trim()) ? counts.includes(stated) : stated <= Math.max(...counts);
        if (!right) return false;
      }
    }
  }
  return true;
}

const LEVEL_WORDS: ReadonlyMap<string, RiskLevel> = new Map([
  ['none', 'none'],
  ['no', 'none'],
  ['nil', 'none'],
  ['zero', 'none'],
  ['negligible', 'none'],
  ['trivial', 'none'],
  ['low', 'low'],
  ['minor', 'low'],
  ['minimal', 'low'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['high', 'high'],
  ['severe', 'critical'],
  ['critical', 'critical'],
]);
const LEVEL = `(${[...LEVEL_WORDS.keys()].join('|')})`;
const LEVEL_CLAIMS: readonly RegExp[] = [
  new RegExp(`\\b${LEVEL}(?:est)?[\\s-]+(?:\\w+\\s+)?(?:risk|severity|level)\\b`, 'g'),
  new RegExp(
    `\\b(?:risk|severity|rating|levels?)(?:[\\s_-]+levels?)?\\W+(?:(?:of|for|the|this|these|plan|changes?|it|whole|overall|item)\\W+){0,4}(?:(?:is|are|as|remains?|stays?|at|was|becomes?|to|be|should|must|now|only|just|very|still|really|actually|set|rated|considered|assessed|lowered|reduced)\\W+){0,4}${LEVEL}\\b`,
    'g',
  ),
  new RegExp(`\\b(?:rated|classified|considered|assessed|marked|graded|treated|ranked)\\s+(?:as\\s+)?${LEVEL}\\b`, 'g'),
];

function hasAllowedLevels(text: string, about: readonly Change[], context: ClaimContext): boolean {
  const allowed = about.length > 0 ? about.flatMap((change) => context.allowedLevels(change)) : context.plan_levels;
  for (const pattern of LEVEL_CLAIMS) {
    for (const [, word] of text.matchAll(pattern)) {
      if (!allowed.includes(LEVEL_WORDS.get(word as string) as RiskLevel)) return false;
    }
  }
  return true;
}
