/**
 * Checks messages against the documented limits of Slack, which the emulator does not enforce.
 *
 * @see https://docs.slack.dev/reference/block-kit/blocks
 */
import type { SlackMessage } from '../../server/domains/notifications/slack-blocks.ts';

const MOST_BLOCKS = 50;
const MOST_CHARACTERS = 12_000;
const MOST_FIELDS = 10;
const LONGEST = { header: 150, section: 3_000, field: 2_000, button: 75, url: 3_000, text: 40_000 };

/** @returns what Slack would reject; empty for a valid message */
export function findBlockKitProblems({ text, blocks }: SlackMessage): string[] {
  const problems = blocks.flatMap((block, place) => checkBlock(block).map((problem) => `block ${place}: ${problem}`));
  if (blocks.length > MOST_BLOCKS) problems.push(`${blocks.length} blocks`);
  const total = listTexts({ text: '', blocks }).join('').length;
  if (total > MOST_CHARACTERS) problems.push(`${total} characters in total`);
  return [...problems, ...checkText('text', text, LONGEST.text)];
}

/** Every text of the message that people see. */
export function listTexts({ text, blocks }: SlackMessage): string[] {
  const shown = blocks.flatMap((block) => {
    if (block.type === 'header') return [block.text.text];
    if (block.type === 'context') return block.elements.map((element) => element.text);
    if (block.type === 'actions') return block.elements.map((element) => element.text.text);
    return 'fields' in block ? block.fields.map((field) => field.text) : [block.text.text];
  });
  return [text, ...shown];
}

function checkBlock(block: SlackMessage['blocks'][number]): string[] {
  switch (block.type) {
    case 'header':
      return checkText('header', block.text.text, LONGEST.header);
    case 'context':
      return block.elements.flatMap((element) => checkText('context', element.text, LONGEST.field));
    case 'actions':
      return block.elements.flatMap((element) => [
        ...checkText('button', element.text.text, LONGEST.button),
        ...checkText('url', element.url, LONGEST.url),
      ]);
    case 'section': {
      if (!('fields' in block)) return checkText('section', block.text.text, LONGEST.section);
      const many = block.fields.length > MOST_FIELDS ? [`${block.fields.length} fields`] : [];
      return [...many, ...block.fields.flatMap((field) => checkText('field', field.text, LONGEST.field))];
    }
  }
}

function checkText(what: string, text: string, longest: number): string[] {
  if (text.length === 0) return [`empty ${what}`];
  return text.length > longest ? [`${what} of ${text.length} characters`] : [];
}
