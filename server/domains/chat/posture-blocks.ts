/** The accounts of an organization as Block Kit, for answers to commands and for the home tab. */
import type { RiskLevel } from '../../../engine/index.ts';
import {
  inert,
  inertWithin,
  type Markdown,
  markdown,
  type PlainText,
  plainLabel,
  plainText,
  showCode,
} from '../../lib/slack-text.ts';

/** Slack allows 50 blocks and about 13,000 characters in a message. */
const MOST_ACCOUNTS = 25;
const LONGEST_NAME = 60;
const LONGEST_REASON = 120;
const LONGEST_TEXT = 2_900;
const LONGEST_MESSAGE = 10_000;
export const CHANGES = {
  changed: 'changed outside of the code',
  missing: 'no longer exists',
  new: 'is not declared in any state',
};

type Item = ExplainedDrift['items'][number];

/** What is known about one account. */
export interface AccountPosture {
  cloud_account_id: string;
  provider: string;
  display_name: string;
  undeclared_count: number;
  changed_count: number | null;
  missing_count: number | null;
  coverage_pct?: number;
  risk_level?: RiskLevel;
  last_scan_at: Date | null;
  drift_snapshot_id: string | null;
}

/** The drift of an account, as it is explained. */
export interface ExplainedDrift {
  snapshot: { narrative: string | null; rules_narrative: string; scan_run_id: string };
  /** Most important first. */
  items: readonly {
    id: string;
    drift_type: 'new' | 'changed' | 'missing';
    resource_address: string | null;
    provider_resource_id: string | null;
    name: string | null;
    resource_type: string | null;
    provider_type: string | null;
    normalized_type: string;
    suppressed: boolean;
    level: RiskLevel;
    reasons: readonly { message: string }[];
  }[];
  items_total: number;
}

interface Button {
  type: 'button';
  action_id: 'rescan';
  text: PlainText;
  value: string;
}

export type PostureBlock =
  | { type: 'header'; text: PlainText }
  | { type: 'section'; text: Markdown; accessory?: Button }
  | { type: 'actions'; elements: { type: 'button'; action_id: 'open_report'; text: PlainText; url: string }[] }
  | { type: 'context'; elements: Markdown[] };

export interface SlackText {
  /** Shown where blocks are not. */
  text: string;
  blocks: PostureBlock[];
}

/**
 * @param rows lowest coverage first; those that do not fit are counted
 * @param signRescan the value of a button that scans an account again; null for a place without buttons
 */
export function renderPosture(
  org_name: string,
  rows: readonly AccountPosture[],
  signRescan: ((cloud_account_id: string) => string) | null,
): SlackText {
  const title = `Cloud accounts of ${org_name}`;
  const shown = packAccounts(rows);
  const hidden = rows.length - shown.length;
  const rest = hidden === 0 ? [] : [section(`and ${hidden} more accounts`)];
  const none = rows.length === 0 ? [section('There are no cloud accounts yet.')] : [];
  return {
    text: inertWithin(title, LONGEST_TEXT),
    blocks: [
      { type: 'header', text: plainLabel(title, 150) },
      ...none,
      ...shown.map(({ row, text }) => ({ ...section(text), ...button(row, signRescan) })),
      ...rest,
      { type: 'context', elements: [markdown('`/drift help` shows what you can do here.')] },
    ],
  };
}

/** As many as fit into a message. */
function packAccounts(rows: readonly AccountPosture[]): { row: AccountPosture; text: string }[] {
  let room = LONGEST_MESSAGE;
  const described = rows.slice(0, MOST_ACCOUNTS).map((row) => ({ row, text: describeAccount(row) }));
  return described.filter(({ text }) => {
    room -= text.length;
    return room >= 0;
  });
}

/**
 * What an account's drift is, and why it is risky.
 *
 * @param url of the result; null if no public address is known
 */
export function renderExplanation(
  { display_name }: Pick<AccountPosture, 'display_name'>,
  { snapshot, items, items_total }: ExplainedDrift,
  url: string | null,
): SlackText {
  const title = `Drift of ${display_name}`;
  const text = plainText('Open report');
  const open: PostureBlock[] =
    url === null ? [] : [{ type: 'actions', elements: [{ type: 'button', action_id: 'open_report', text, url }] }];
  return {
    text: inertWithin(title, LONGEST_TEXT),
    blocks: [
      { type: 'header', text: plainLabel(title, 150) },
      section(inertWithin(snapshot.narrative ?? snapshot.rules_narrative, LONGEST_TEXT)),
      section(items_total === 0 ? 'There are no differences.' : packItems(items, items_total)),
      ...open,
    ],
  };
}

/** As many as fit; the others are counted. */
function packItems(items: readonly Item[], items_total: number): string {
  const lines: string[] = [];
  let room = LONGEST_TEXT;
  for (const item of items) {
    const line = describeItem(item);
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const hidden = items_total - lines.length;
  return [...lines, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('\n');
}

function describeItem({ drift_type, resource_address, name, normalized_type, level, reasons }: Item): string {
  const shown = showCode(resource_address ?? name ?? normalized_type, LONGEST_NAME);
  const why = reasons[0] === undefined ? '' : `: ${inert(reasons[0].message, LONGEST_REASON)}`;
  return `• ${shown} ${CHANGES[drift_type]}, ${level}${why}`;
}

/** A message of one paragraph. */
export function renderLine(text: string): SlackText {
  const shown = inertWithin(text, LONGEST_TEXT);
  return { text: shown, blocks: [section(shown)] };
}

export function renderHelp(): SlackText {
  const lines = [
    '`/drift status` shows every cloud account with its risk and coverage.',
    '`/drift explain <account>` says what differs in an account, and why it matters.',
    '`/drift scan <account>` starts a scan; name the account as `/drift status` does.',
    '`/drift help` shows this.',
    'You are recognized by your email address: it must be that of a member of the organization.',
  ];
  return { text: 'What /drift can do', blocks: [section(lines.join('\n').replaceAll('<account>', '&lt;account&gt;'))] };
}

function describeAccount(row: AccountPosture): string {
  const name = `${showCode(row.display_name, LONGEST_NAME)} (${inert(row.provider, LONGEST_NAME)})`;
  if (row.coverage_pct === undefined || row.risk_level === undefined) {
    return `${name}\n${row.last_scan_at === null ? 'not scanned yet' : 'drift is not computed yet'}`;
  }
  const counts = `${row.changed_count ?? 0} changed, ${row.missing_count ?? 0} missing, ${row.undeclared_count} not declared`;
  const scanned = row.last_scan_at === null ? '' : `\nlast scan ${row.last_scan_at.toISOString().slice(0, 16)}Z`;
  return `${name}\nrisk ${row.risk_level}, coverage ${row.coverage_pct} %: ${counts}${scanned}`;
}

function button(
  { cloud_account_id }: AccountPosture,
  signRescan: ((cloud_account_id: string) => string) | null,
): { accessory?: Button } {
  if (signRescan === null) return {};
  const value = signRescan(cloud_account_id);
  return { accessory: { type: 'button', action_id: 'rescan', text: plainText('Scan again'), value } };
}

function section(text: string): { type: 'section'; text: Markdown } {
  return { type: 'section', text: markdown(text) };
}
