/** A word or phrase that this project retired, with the plain one to write instead. */
export interface RetiredWord {
  /** Identifies the entry in findings and exceptions. */
  word: string;
  use: string;
  /**
   * What to find. Names are first split into lowercase words: `publishTurns` and `publish_turns` are `publish turns`.
   * Text is a line in lowercase, split the same way.
   */
  pattern: RegExp;
  /** `names`: identifiers and file names. `functions`: names of functions. `text`: comments, strings and documents. */
  places: readonly Place[];
}

export type Place = 'names' | 'functions' | 'text';

const EVERYWHERE: readonly Place[] = ['names', 'text'];

export const RETIRED_WORDS: readonly RetiredWord[] = [
  { word: 'told', use: 'published, sent or reported', pattern: /\b(?:told|untold|telling)\b/, places: EVERYWHERE },
  { word: 'wanted', use: 'revision or expected', pattern: /\bwanted\b/, places: ['names'] },
  { word: 'seen revision', use: 'published revision', pattern: /\bseen revision|revision seen\b/, places: EVERYWHERE },
  { word: 'guise', use: 'variant or host', pattern: /\bguises?\b/, places: EVERYWHERE },
  { word: 'herd', use: 'burst or concurrent requests', pattern: /\bherds?\b/, places: EVERYWHERE },
  { word: 'world', use: 'internet, harness or fixture', pattern: /\bworlds?\b/, places: ['names'] },
  { word: 'touch the world', use: 'have side effects', pattern: /\btouch(?:es)? the world\b/, places: ['text'] },
  {
    word: 'stage',
    use: 'step, harness or setup',
    pattern: /\b(?:open|set|start) stage$|\bon stage\b/,
    places: EVERYWHERE,
  },
  { word: 'upkeep', use: 'maintenance', pattern: /\bupkeep\b/, places: EVERYWHERE },
  { word: 'moment', use: 'time, instant or a name in _at', pattern: /\bmoments?\b/, places: ['names'] },
  { word: 'trail scope', use: 'chain or audit scope', pattern: /\btrail[- ]scopes?\b/, places: EVERYWHERE },
  { word: 'quiet', use: 'escape', pattern: /^quiet \w/, places: ['functions'] },
  { word: 'turns', use: 'concurrency limit or rounds', pattern: /\bturns$/, places: ['names'] },
  { word: 'gate', use: 'limit or check', pattern: /\bgates?\b/, places: EVERYWHERE },
  { word: 'stand', use: 'state or status', pattern: /\bstand of\b/, places: EVERYWHERE },
  { word: 'prints', use: 'fingerprints', pattern: /\bprints$/, places: ['names'] },
  { word: '…Of', use: 'a verb: find…, count…, build…', pattern: /\w of$/, places: ['functions'] },
  {
    word: 'no more',
    use: 'what happened: deleted, expired, removed',
    pattern: /\b(?:is|are|was|were|been|kept|holds?|exists?) no more\b(?! than)|\bno more(?=[.;:)])/,
    places: ['text'],
  },
  {
    word: 'speaks for',
    use: 'supports, or belongs to',
    pattern: /\b(?:speaks? for|stands? in the way|(?:is|are) left alone)\b/,
    places: ['text'],
  },
  { word: 'flapping', use: 'noise', pattern: /\bflapping\b/, places: EVERYWHERE },
  { word: 'diff item', use: 'change', pattern: /\bdiff items?\b/, places: EVERYWHERE },
  { word: 'match rate', use: 'coverage', pattern: /\bmatch rate\b/, places: EVERYWHERE },
  { word: 'scan job', use: 'scan run', pattern: /\bscan jobs?\b/, places: EVERYWHERE },
  { word: 'organisation', use: 'organization', pattern: /\b\w*organis(?:e|ed|es|ing|ations?)\b/, places: EVERYWHERE },
  { word: 'behaviour', use: 'behavior', pattern: /\bbehaviours?\b/, places: EVERYWHERE },
  { word: 'cancelled', use: 'canceled', pattern: /\bcancell(?:ed|ing)\b/, places: EVERYWHERE },
  { word: 'colour', use: 'color', pattern: /\bcolour\w*\b/, places: EVERYWHERE },
  { word: 'licence', use: 'license', pattern: /\blicence[sd]?\b/, places: EVERYWHERE },
  { word: 'normalise', use: 'normalize', pattern: /\b\w*normalis(?:e|ed|es|er|ing|ation)\b/, places: EVERYWHERE },
  { word: 'analyse', use: 'analyze', pattern: /\banalys(?:e|ed|er|ing)\b/, places: EVERYWHERE },
  { word: 'labelled', use: 'labeled', pattern: /\b(?:labelled|modelled|travelled)\b/, places: EVERYWHERE },
  { word: 'neighbour', use: 'neighbor', pattern: /\bneighbour\w*\b/, places: EVERYWHERE },
  { word: 'favour', use: 'favor', pattern: /\b(?:favour|honour|endeavour)\w*\b/, places: EVERYWHERE },
  { word: 'catalogue', use: 'catalog', pattern: /\bcatalogues?d?\b/, places: EVERYWHERE },
  {
    word: '…ise',
    use: '…ize',
    pattern: /\b(?:author|initial|recogn|serial|summar|synchron|util|minim|optim|categor)is(?:e|ed|es|ing|ation)\b/,
    places: EVERYWHERE,
  },
];
