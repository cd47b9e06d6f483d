import { codeBlock, oneLine, writeBody } from '../../bot/commands/markdown.ts';
import { readCommand } from '../../bot/commands/parse.ts';
import { expressionForm } from '../../engine/canonical/expressions.ts';
import { deniesHazard } from '../../engine/explain/denials.ts';
import { buildPrompt, readAnswer, readClassifyAnswer, readFixAnswer } from '../../engine/explain/index.ts';
import { analyzePlan, looksLikePlan, renderMarkdown, renderText } from '../../engine/index.ts';
import { sameJson } from '../../engine/lib/json-text.ts';
import { compareBy } from '../../engine/noise-catalog/forms.ts';
import { concealsSecret } from '../../engine/redact/concealed.ts';
import { createRedactor } from '../../engine/redact/redactor.ts';
import { scrubText } from '../../engine/redact/scrub-text.ts';
import { maskSecrets } from '../../engine/redact/secret-patterns.ts';
import { codeCell, codeHtml, codeSpan, escapeInvisible, prose } from '../../engine/render/inert.ts';
import { wrap } from '../../engine/render/terminal.ts';
import { escapeQuickActions } from '../../engine/review/escape-quick-actions.ts';
import { readMark } from '../../engine/review/mark.ts';
import { equalsText, isListed } from '../../engine/risk/attributes/identity/federation.ts';
import { readYaml } from '../../engine/risk/generic-types/yaml.ts';
import { splitAddress } from '../../engine/rules/globs.ts';
import { adviceOn } from '../../server/adapters/plan-pool/plan-advice.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { measureCpuMs } from '../lib/time.ts';
import { createAttributeReaders } from './hostile-attributes.ts';

const CHARACTERS = 10_000;
/** Linear growth is 2; quadratic growth would be 4. */
const MAX_GROWTH = 3;
/** Shorter times are too imprecise to compare, and harmless. */
const MIN_MEASURABLE_MS = 10;
const ROUNDS = 6;

const FRAGMENTS = [
  ...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ \n\t\r0a\u00e9\u2014\u2019\ufe0f\ud83d\u202e',
  ...[
    '- ',
    ' -',
    '-a',
    'a ',
    'a.',
    'a. ',
    '. ',
    '1,',
    '1.',
    '1 ',
    'A1',
    '\\"',
    '"\\',
    '\\n',
    '``',
    '`a ',
    '**a ',
    '__a ',
    '[a',
  ],
  ...[
    'no ',
    'not only ',
    'just ',
    'simply now ',
    'safe ',
    'destroy ',
    'destroy-',
    'one two ',
    'tool ',
    'all ',
    'risk ',
    'high ',
  ],
  ...[
    'password',
    'token=',
    'dsn=',
    'psk: ',
    '-----BEGIN ',
    '://a:',
    'eyJ',
    'sk-',
    'key=',
    '&amp;',
    'GH-',
    'www.',
    '<!--',
    '```\n',
    '~~~\n',
  ],
  ...[
    'a: ',
    '- a: ',
    '"a": ',
    '{"a":',
    "'a",
    '==',
    '== "',
    'in [',
    'a["',
    'module.',
    '#{',
    '${',
    '%{',
    '|-\n',
    ' #',
    ': #',
    '\r#',
  ],
];

/** A subset for attributes, of which there are hundreds. */
const FEW_FRAGMENTS = [
  ...'"([{,*?:/\'=#\n0a',
  ...['a.', 'a ', '\\"', '{"a":', '/*', ' || ', ' && ', ' AND ', 'NOT ', 'in [', '10.0.0.0/8,', 'arn:', '- a: ', '::'],
  ...['(assertion.sub=="a"||', 'path "a" { capabilities = ['],
];

interface Reader {
  name: string;
  run(text: string): unknown;
}

interface Growth {
  name: string;
  fragment: string;
  ms: number;
  ratio: number;
}

/** P9: how doubling a text changes the time of each function that reads untrusted text; the worst is compared. */
export async function benchHostileTexts(): Promise<BenchRow[]> {
  const readers = createReaders();
  const attributes = createAttributeReaders();
  const found = [
    ...readers.flatMap((reader) => FRAGMENTS.map((fragment) => measureGrowth(reader, fragment))),
    ...attributes.flatMap((reader) => FEW_FRAGMENTS.map((fragment) => measureGrowth(reader, fragment))),
  ];
  const worst = found.filter(({ ms }) => ms >= MIN_MEASURABLE_MS).sort((a, b) => b.ratio - a.ratio);
  const measured = worst[0]?.ratio ?? 0;
  return [
    toRatioRow({
      id: 'P9',
      what: `${readers.length} readers and ${attributes.length} attributes, of repeated fragments, ${CHARACTERS} and ${2 * CHARACTERS} characters`,
      ratio: measured,
      limit: MAX_GROWTH,
      comparison: 'the time for twice the text',
      note: worst.slice(0, 5).map(describe).join(', ') || `nothing took ${MIN_MEASURABLE_MS} ms`,
    }),
  ];
}

function describe({ name, fragment, ms, ratio }: Growth): string {
  return `${name} ${JSON.stringify(fragment)} ${ratio.toFixed(1)} × to ${ms.toFixed(0)} ms`;
}

/**
 * The minimum of several measurements, since other processes use the machine too; more than one only if the first
 * exceeds the limit.
 */
function measureGrowth({ name, run }: Reader, fragment: string): Growth {
  const [once, twice] = [CHARACTERS, 2 * CHARACTERS].map((size) => fragment.repeat(Math.ceil(size / fragment.length)));
  let [short_ms, ms] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1) {
    short_ms = Math.min(
      short_ms,
      measureCpuMs(() => run(once as string)),
    );
    ms = Math.min(
      ms,
      measureCpuMs(() => run(twice as string)),
    );
    if (ms < MIN_MEASURABLE_MS || ms <= MAX_GROWTH * short_ms) break;
  }
  return { name, fragment, ms, ratio: ms / Math.max(short_ms, 0.1) };
}

function createReaders(): Reader[] {
  const analysis = analyzePlan(Buffer.from(buildPlan('aws_instance.web["a b"]')));
  const { known } = buildPrompt(analysis, { send_values: 'redacted' });
  const redactor = createRedactor();
  const answer = (text: string) =>
    JSON.stringify({
      what_will_happen: text.slice(0, 8_000),
      why_it_matters: text.slice(8_000, 16_000),
      what_to_check: [text.slice(16_000, 24_000), text.slice(24_000)],
      notes: [{ address: text.slice(0, 4_000), note: 'It is destroyed.' }],
      proposals: [],
      overall: null,
    });
  const readers: Record<string, (text: string) => unknown> = {
    readAnswer: (text) => readAnswer(answer(text), analysis, known),
    'readAnswer of anything': (text) => readAnswer(text, analysis, known),
    readFixAnswer: (text) => readFixAnswer(text, '{}'),
    readClassifyAnswer: (text) => readClassifyAnswer(text, 50),
    deniesHazard,
    scrubText,
    concealsSecret,
    maskForms: (text) => maskSecrets(text, '(sensitive)'),
    redactText: redactor.redactText,
    visible: escapeInvisible,
    codeSpan,
    codeCell,
    codeHtml,
    prose,
    wrap: (text) => wrap(text, 100),
    readMark,
    quietLines: (text) => escapeQuickActions(text, 'gitlab'),
    readCommand: (text) => readCommand(`/drift explain ${text}`.slice(0, 60_000)),
    block: (text) => codeBlock(text, 'hcl'),
    oneLine,
    writeBody: (text) => writeBody([text, text]),
    expressionForm,
    blanks: (text) => compareBy('blanks')(text, `${text} `, NOWHERE),
    sameJson: (text) => sameJson(JSON.stringify([text]), JSON.stringify([text])),
    readYaml: (text) => readYaml(text),
    equalsText,
    isListed,
    splitAddress,
    looksLikePlan: (text) => looksLikePlan(text, Buffer.from(text)),
    adviceOn: (text) => adviceOn(text, Buffer.from(text)),
    'a plan whose address it is': (text) => {
      const shown = analyzePlan(Buffer.from(buildPlan(text)));
      return [renderText(shown, { color: false, top: 10 }), renderMarkdown(shown, { top: 10 })];
    },
    'a plan whose value it is': (text) => analyzePlan(Buffer.from(buildPlan('aws_instance.web', text))),
  };
  return Object.entries(readers).map(([name, run]) => ({ name, run }));
}

const NOWHERE = { project: null, region: null, zone: null, account: null, record_type: null };

function buildPlan(address: string, value = 'x'): string {
  const before = { user_data: `${value}1`, policy: value, condition: value, tags: { [value]: value } };
  const after = { user_data: value, policy: `${value}1`, condition: `${value}1`, tags: {} };
  const change = { actions: ['update'], before, after };
  const entry = { address, type: 'aws_instance', name: 'web', mode: 'managed', change };
  return JSON.stringify({ format_version: '1.2', resource_changes: [entry] });
}
