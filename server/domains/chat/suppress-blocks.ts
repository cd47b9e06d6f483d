/** The dialog in which a member suppresses the noise of an analysis: exactly what that hides, why, and for how long. */
import { plural } from '../../../engine/index.ts';
import { cut, plainText, showCode } from '../../lib/slack-text.ts';
import { type DialogView, renderTerms, section } from './dialog-blocks.ts';
import type { NoisePreview } from './noise-choice.ts';

export const SUPPRESS_DIALOG = 'suppress_noise';
const TITLE = 'Suppress noise';
const LONGEST_NAME = 150;
const LONGEST_PREVIEW = 2_800;

/** @param state signed */
export function renderSuppressDialog(state: string, preview: NoisePreview): DialogView {
  const note = 'The suppressions count from the next analysis on, in all repositories of the organization.';
  return {
    ...{ type: 'modal', callback_id: SUPPRESS_DIALOG, private_metadata: state },
    ...{ title: plainText(TITLE), submit: plainText('Suppress'), close: plainText('Cancel') },
    blocks: [section(describePreview(preview)), ...renderTerms(note)],
  };
}

function describePreview({ hidden, changes_total, risk_level, risk_without }: NoisePreview): string {
  const lines = [
    `This hides *${hidden.length} of ${plural(changes_total, 'change')}* of the analysis, which recur without effect:`,
  ];
  const risk = `Risk of the analysis: *${risk_level}*. Highest risk of a change without them: *${risk_without}*.`;
  let room = LONGEST_PREVIEW - risk.length;
  let shown = 0;
  for (const { resource_address, level } of hidden) {
    const line = `• ${showCode(cut(resource_address, LONGEST_NAME), LONGEST_NAME)} ${level}`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
    shown += 1;
  }
  const rest = shown < hidden.length ? [`and ${hidden.length - shown} more`] : [];
  return [...lines, ...rest, risk].join('\n');
}
