/**
 * The dialog in which a member ignores drift: what to ignore, exactly what that would hide, why, and for how long.
 *
 * @see https://docs.slack.dev/reference/views/modal-views
 */
import type { RiskLevel } from '../../../engine/index.ts';
import type { SlackSubmission } from '../../lib/slack-request.ts';
import {
  cut,
  inertWithin,
  type Markdown,
  markdown,
  type PlainText,
  plainLabel,
  plainText,
  showCode,
} from '../../lib/slack-text.ts';
import type { Scope } from './dialog-state.ts';
import { CHANGES } from './posture-blocks.ts';

export const IGNORE_DIALOG = 'ignore_drift';
export const ACTIONS = { difference: 'pick_difference', scope: 'pick_scope' } as const;
/** Blocks keep their names while the dialog changes, so that Slack keeps what the person entered. */
export const FIELDS = { difference: 'difference', scope: 'scope', reason: 'reason', days: 'days' } as const;

const LONGEST_OPTION = 75;
const LONGEST_REASON = 500;
const LONGEST_NAME = 150;
const LONGEST_PREVIEW = 2_800;
const LONGEST_LABEL = 75;
const LONGEST_TYPE = 50;
const DAYS = [
  { text: '7 days', value: '7' },
  { text: '30 days', value: '30' },
  { text: '90 days', value: '90' },
  { text: 'Until somebody ends it', value: 'never' },
];
const DEFAULT_DAYS = '30';
const NOTE = 'The rule counts from the next scan on, in all accounts of the organization.';

interface Option {
  text: PlainText;
  value: string;
}

interface Select {
  type: 'static_select';
  action_id: string;
  placeholder: PlainText;
  options?: Option[];
  option_groups?: { label: PlainText; options: Option[] }[];
  initial_option?: Option;
}

export type DialogBlock =
  | { type: 'section'; text: Markdown }
  | { type: 'actions'; block_id: string; elements: Select[] }
  | { type: 'context'; elements: Markdown[] }
  | { type: 'input'; block_id: string; label: PlainText; element: Select | TextInput };

interface TextInput {
  type: 'plain_text_input';
  action_id: string;
  multiline: true;
  max_length: number;
}

export interface DialogView {
  type: 'modal';
  callback_id: string;
  private_metadata: string;
  title: PlainText;
  submit?: PlainText;
  close: PlainText;
  blocks: DialogBlock[];
}

/** The differences of one account that can be ignored. */
export interface DialogGroup {
  display_name: string;
  options: readonly { value: string; name: string }[];
}

export interface DialogContent {
  /** The signed state. */
  state: string;
  groups: readonly DialogGroup[];
  chosen: { value: string; scope: Scope; type: string; preview: ShownPreview } | null;
}

/** What a rule would ignore in the last scan of an account. */
export interface ShownPreview {
  match_count: number;
  /** Critical differences, which such a rule does not ignore. */
  protected_count: number;
  items_total: number;
  items: readonly {
    drift_type: 'new' | 'changed' | 'missing';
    resource_address: string | null;
    provider_resource_id: string | null;
    level: RiskLevel;
  }[];
}

export function renderDialog({ state, groups, chosen }: DialogContent): DialogView {
  const pick = pickDifference(groups, chosen?.value);
  const shown =
    chosen === null ? [] : [...describeChoice(chosen), ...(chosen.preview.match_count > 0 ? renderTerms(NOTE) : [])];
  const can_submit = chosen !== null && chosen.preview.match_count > 0;
  return {
    type: 'modal',
    callback_id: IGNORE_DIALOG,
    private_metadata: state,
    title: plainText('Ignore drift'),
    ...(can_submit && { submit: plainText('Ignore') }),
    close: plainText('Cancel'),
    blocks: [
      section('Choose a difference. You see what a rule would ignore before you create it.'),
      { type: 'actions', block_id: FIELDS.difference, elements: [pick] },
      ...shown,
    ],
  };
}

/** A dialog that only says something. */
export function renderDialogText(text: string): DialogView {
  const view = { type: 'modal' as const, callback_id: IGNORE_DIALOG, private_metadata: '' } as const;
  const blocks = [section(inertWithin(text, LONGEST_PREVIEW))];
  return { ...view, title: plainText('Ignore drift'), close: plainText('Close'), blocks };
}

function pickDifference(groups: readonly DialogGroup[], value: string | undefined): Select {
  const option_groups = groups.map(({ display_name, options }) => ({
    label: plainLabel(display_name, LONGEST_LABEL),
    options: options.map(({ name, value: id }) => ({ text: plainLabel(name, LONGEST_OPTION), value: id })),
  }));
  const initial_option = option_groups.flatMap(({ options }) => options).find((option) => option.value === value);
  const placeholder = plainText('Difference');
  const pick: Select = { type: 'static_select', action_id: ACTIONS.difference, placeholder, option_groups };
  return initial_option === undefined ? pick : { ...pick, initial_option };
}

function describeChoice({ scope, type, preview }: NonNullable<DialogContent['chosen']>): DialogBlock[] {
  const options: Option[] = [
    { text: plainText('Only this resource'), value: 'one' },
    { text: plainLabel(`Every ${cut(type, LONGEST_TYPE)} with this drift`, LONGEST_OPTION), value: 'type' },
  ];
  const initial_option = options.find(({ value }) => value === scope);
  const pick: Select = { type: 'static_select', action_id: ACTIONS.scope, placeholder: plainText('Scope'), options };
  return [
    {
      type: 'actions',
      block_id: FIELDS.scope,
      elements: [initial_option === undefined ? pick : { ...pick, initial_option }],
    },
    section(describePreview(preview)),
  ];
}

function describePreview({ match_count, protected_count, items_total, items }: ShownPreview): string {
  const kept = `${protected_count} critical differences match, but only a rule for one resource ignores those.`;
  const note = protected_count === 0 ? [] : [kept];
  if (match_count === 0) return ['This rule would ignore nothing.', ...note].join('\n');
  const lines = [`This rule would ignore *${match_count} of ${items_total}* differences of the last scan:`, ...note];
  let room = LONGEST_PREVIEW - lines.join('\n').length;
  let shown = 0;
  for (const { resource_address, provider_resource_id, drift_type, level } of items) {
    const name = showCode(resource_address ?? provider_resource_id ?? '', LONGEST_NAME);
    const line = `• ${name} ${CHANGES[drift_type]}, ${level}`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
    shown += 1;
  }
  return [...lines, ...(shown < match_count ? [`and ${match_count - shown} more`] : [])].join('\n');
}

/** Asks why, and for how long. @param note when it takes effect */
export function renderTerms(note: string): DialogBlock[] {
  const options = DAYS.map(({ text, value }) => ({ text: plainText(text), value }));
  const initial_option = options.find(({ value }) => value === DEFAULT_DAYS);
  const days: Select = { type: 'static_select', action_id: FIELDS.days, placeholder: plainText('Duration'), options };
  const reason: TextInput = {
    ...{ type: 'plain_text_input', action_id: FIELDS.reason, multiline: true, max_length: LONGEST_REASON },
  };
  return [
    { type: 'input', block_id: FIELDS.reason, label: plainText('Reason'), element: reason },
    {
      type: 'input',
      block_id: FIELDS.days,
      label: plainText('Duration'),
      element: initial_option === undefined ? days : { ...days, initial_option },
    },
    {
      type: 'context',
      elements: [markdown(note)],
    },
  ];
}

/** What the person entered. @returns `days`: null = without an end */
export function readTerms(values: SlackSubmission['view']['state']['values']): { reason: string; days: number | null } {
  const days = Number(values[FIELDS.days]?.[FIELDS.days]?.selected_option?.value);
  return { reason: values[FIELDS.reason]?.[FIELDS.reason]?.value?.trim() ?? '', days: days > 0 ? days : null };
}

export function section(text: string): DialogBlock {
  return { type: 'section', text: markdown(text) };
}
