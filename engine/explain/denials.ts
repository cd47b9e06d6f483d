/** Stems of destructive words. */
const HAZARD =
  '(?:destr[ou]|delet|remov|replac|terminat|recreat|drop|wip|los[eits]|loss|eras|purg|torn|kill|harm|break|outage|downtime|disrupt|interrupt)';
const BEGINS_HAZARD = new RegExp(`^${HAZARD}`);
const ENDS_NEGATED = /(?:\b(?:no|not|nothing|none|never|without|zero|neither|nor|cannot|avoids?)|n't)$/;
/** Words that start a new clause. */
const BREAKS = /^(?:unless|until|before|if|because|when|while|but|after|so|and|or)/;
const DESTROYS_NOTHING = new RegExp(`\\b${HAZARD}\\w*[\\s-]+(?:\\w+[\\s-]+){0,2}?(?:nothing|no|none|nil|zero)\\b`);
const MAX_WORDS_BETWEEN = 5;

/** A run of letters, digits and apostrophes, and the gap before it. */
interface Run {
  gap: string;
  text: string;
}

/**
 * Whether a text denies destruction: "no data is lost", "never in-place destroyed", "deletes nothing". Between the
 * negation and the hazard are at most five words, none of which starts another clause; hyphenated runs are one word.
 *
 * One pass: for each run, the smallest number of words since a negation follows from the previous run. An equivalent
 * regular expression would backtrack over hyphens.
 */
export function deniesHazard(text: string): boolean {
  if (DESTROYS_NOTHING.test(text)) return true;
  let words = Number.POSITIVE_INFINITY;
  let before: Run = { gap: '', text: '' };
  for (const run of readRuns(text)) {
    const joins = /^[\s-]+$/.test(run.gap);
    const passed = isNegated(before, run) ? 0 : words;
    if (joins && passed <= MAX_WORDS_BETWEEN && BEGINS_HAZARD.test(run.text)) return true;
    words = joins
      ? Math.min(countWords(run, passed), /^-+$/.test(run.gap) ? words : Number.POSITIVE_INFINITY)
      : Number.POSITIVE_INFINITY;
    before = run;
  }
  return false;
}

/** "not only" is not a negation. */
function isNegated(run: Run, next: Run): boolean {
  return ENDS_NEGATED.test(run.text) && !(/\bnot$/.test(run.text) && `${next.gap}${next.text}`.startsWith(' only'));
}

/** Word count including this run; infinite if over the limit or if the run starts another clause. */
function countWords({ gap, text }: Run, passed: number): number {
  const is_joined = gap.length > 1 && gap.endsWith('-');
  return passed < MAX_WORDS_BETWEEN && (is_joined || !BREAKS.test(text)) ? passed + 1 : Number.POSITIVE_INFINITY;
}

function* readRuns(text: string): Iterable<Run> {
  let kept = 0;
  for (const { 0: run, index } of text.matchAll(/[\w']+/g)) {
    yield { gap: text.slice(kept, index), text: run };
    kept = index + run.length;
  }
}
