/**
 * Text for Slack that is only text: names never become mentions, links or markup.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text
 */
import { escapeInvisible } from '../../engine/index.ts';

const BREAK = '\u200b';

export type PlainText = { type: 'plain_text'; text: string; emoji: false };
export type Markdown = { type: 'mrkdwn'; text: string; verbatim: true };

/** Nothing is interpreted inside a code span. */
export function showCode(name: string, longest: number): string {
  const shown = escapeMarkup(cut(withoutCode(escapeInvisible(name)), longest));
  return `\`${shown.trim() === '' ? ' ' : shown}\``;
}

/** Text that neither notifies anybody nor becomes a link or a format. */
export function inert(text: string, longest: number): string {
  const shown = cut(escapeInvisible(text), longest);
  return escapeMarkup(withoutCode(shown))
    .replace(/[*_~]/g, (mark) => `${BREAK}${mark}${BREAK}`)
    .replace(/@|:\/\/|(?<=\p{L}|\p{N})\.(?=\p{L})/gu, (mark) => `${mark}${BREAK}`);
}

/** The beginning of a text that fits after it was escaped, which makes it longer; never empty. */
export function inertWithin(text: string, longest: number): string {
  for (let most = longest; ; most = Math.floor(most / 2)) {
    const shown = inert(text, most);
    if (shown.length <= longest) return shown.trim() === '' ? '-' : shown;
  }
}

/** A backtick would begin or end a code span; a mark that looks like it does not. */
function withoutCode(text: string): string {
  return text.replaceAll('`', '\u02cb');
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

/** `verbatim`: addresses and names of channels in it do not become links. */
export function markdown(text: string): Markdown {
  return { type: 'mrkdwn', text, verbatim: true };
}

export function plainText(text: string): PlainText {
  return { type: 'plain_text', text, emoji: false };
}

/** A name as a label, which has no markup at Slack. */
export function plainLabel(name: string, longest: number): PlainText {
  return plainText(cut(escapeInvisible(name), longest).trim() || '-');
}

/** `2026-01-02 03:04 UTC`. @param at ISO 8601 */
export function showTime(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
