/**
 * Checks messages, dialogs and home tabs against the documented limits of Slack, which the emulator does not enforce.
 *
 * @see https://docs.slack.dev/reference/block-kit/blocks
 * @see https://docs.slack.dev/reference/views/modal-views
 */
const MOST = { blocks: 50, view_blocks: 100, characters: 12_000, fields: 10, elements: 25, context: 10, options: 100 };
const LONGEST = {
  ...{ text: 40_000, header: 150, section: 3_000, field: 2_000, context: 3_000, button: 75, url: 3_000, value: 2_000 },
  ...{ option: 75, option_value: 150, group: 75, placeholder: 150, title: 24, label: 2_000, metadata: 3_000, id: 255 },
};

type Part = Readonly<Record<string, unknown>>;

/** A text object of Slack. */
interface Shown extends Part {
  type: 'plain_text' | 'mrkdwn';
  text: string;
}

export interface CheckedMessage {
  text: string;
  blocks: readonly object[];
}

/** @returns what Slack would reject; empty for a valid message */
export function findBlockKitProblems({ text, blocks }: CheckedMessage): string[] {
  const problems = checkBlocks(blocks, MOST.blocks);
  const total = listShown(blocks).reduce((sum, shown) => sum + shown.text.length, 0);
  if (total > MOST.characters) problems.push(`${total} characters in total`);
  return [...problems, ...checkText('text', text, LONGEST.text)];
}

/** @returns what Slack would reject in a dialog or a home tab */
export function findViewProblems(view: object): string[] {
  const { blocks, title, submit, close, private_metadata = '' } = view as Part & { blocks: readonly object[] };
  const labels = [title, submit, close].filter((label) => label !== undefined);
  const has_input = blocks.some((block) => (block as Part)['type'] === 'input');
  return [
    ...checkBlocks(blocks, MOST.view_blocks),
    ...labels.flatMap((label) => checkPlain('label of the view', label, LONGEST.title)),
    ...(String(private_metadata).length > LONGEST.metadata ? ['private_metadata too long'] : []),
    ...(has_input && submit === undefined ? ['inputs without submit'] : []),
  ];
}

/** Every text of the message that people see. */
export function listTexts({ text, blocks }: CheckedMessage): string[] {
  return [text, ...listShown(blocks).map((shown) => shown.text)];
}

/** The text objects in any part. */
export function listShown(part: unknown): Shown[] {
  if (Array.isArray(part)) return part.flatMap(listShown);
  if (typeof part !== 'object' || part === null) return [];
  const { type, text } = part as Part;
  if ((type === 'plain_text' || type === 'mrkdwn') && typeof text === 'string') return [part as Shown];
  return Object.values(part).flatMap(listShown);
}

/** Every address that a part opens. */
export function listUrls(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(listUrls);
  if (typeof part !== 'object' || part === null) return [];
  const own = (part as Part)['url'];
  return [...(typeof own === 'string' ? [own] : []), ...Object.values(part).flatMap(listUrls)];
}

function checkBlocks(blocks: readonly object[], most: number): string[] {
  const problems = blocks.flatMap((block, place) =>
    checkBlock(block as Part).map((problem) => `block ${place}: ${problem}`),
  );
  return blocks.length > most ? [...problems, `${blocks.length} blocks`] : problems;
}

function checkBlock(block: Part): string[] {
  const { type, text, fields = [], elements = [], accessory, element, label } = block;
  const parts = elements as Part[];
  switch (type) {
    case 'header':
      return checkPlain('header', text, LONGEST.header);
    case 'context':
      return [
        ...tooMany('context elements', parts, MOST.context),
        ...parts.flatMap((one) => checkText('context', one['text'], LONGEST.context)),
      ];
    case 'actions':
      return [...tooMany('elements', parts, MOST.elements), ...parts.flatMap(checkElement)];
    case 'input':
      return [...checkPlain('label', label, LONGEST.label), ...checkElement(element as Part)];
    case 'section': {
      const shown = fields as Shown[];
      if (text === undefined && shown.length === 0) return ['empty section'];
      return [
        ...(text === undefined ? [] : checkText('section', (text as Shown).text, LONGEST.section)),
        ...tooMany('fields', shown, MOST.fields),
        ...shown.flatMap((field) => checkText('field', field.text, LONGEST.field)),
        ...(accessory === undefined ? [] : checkElement(accessory as Part)),
      ];
    }
    default:
      return [`unknown block ${String(type)}`];
  }
}

function checkElement(element: Part): string[] {
  const { type, action_id, text, url, value } = element;
  const named = checkText('action_id', action_id, LONGEST.id);
  if (type === 'plain_text_input') return named;
  if (type === 'static_select') return [...named, ...checkSelect(element)];
  if (type !== 'button') return [`unknown element ${String(type)}`];
  return [
    ...named,
    ...checkPlain('button', text, LONGEST.button),
    ...(url === undefined ? [] : checkText('url', url, LONGEST.url)),
    ...(value === undefined ? [] : checkText('value', value, LONGEST.value)),
  ];
}

function checkSelect({ placeholder, options, option_groups, initial_option }: Part): string[] {
  const groups = (option_groups ?? []) as { label: unknown; options: Part[] }[];
  const lists = options === undefined ? groups.map((group) => group.options) : [options as Part[]];
  const known = lists.flat().map(({ value }) => value);
  return [
    ...checkPlain('placeholder', placeholder, LONGEST.placeholder),
    ...tooMany('groups', groups, MOST.options),
    ...groups.flatMap((group) => checkPlain('group', group.label, LONGEST.group)),
    ...(lists.length === 0 ? ['no options'] : []),
    ...lists.flatMap((list) => [
      ...(list.length === 0 ? ['an empty list'] : tooMany('options', list, MOST.options)),
      ...list.flatMap(checkOption),
    ]),
    ...(initial_option === undefined || known.includes((initial_option as Part)['value']) ? [] : ['unknown initial']),
  ];
}

function checkOption({ text, value }: Part): string[] {
  return [...checkPlain('option', text, LONGEST.option), ...checkText('value', value, LONGEST.option_value)];
}

function checkPlain(what: string, shown: unknown, longest: number): string[] {
  const { type, text } = (shown ?? {}) as Part;
  return type === 'plain_text' ? checkText(what, text, longest) : [`${what} is no plain text`];
}

function checkText(what: string, text: unknown, longest: number): string[] {
  if (typeof text !== 'string' || text.length === 0) return [`empty ${what}`];
  return text.length > longest ? [`${what} of ${text.length} characters`] : [];
}

function tooMany(what: string, list: readonly unknown[], most: number): string[] {
  return list.length > most ? [`${list.length} ${what}`] : [];
}
