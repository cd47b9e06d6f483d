const QUANTITY = /^(\d{1,12})(?:\.(\d{1,6}))?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$/;
const THOUSANDTHS: ReadonlyMap<string, bigint> = new Map([
  ['m', 1n],
  ['', 1000n],
  ['k', 1000n ** 2n],
  ['M', 1000n ** 3n],
  ['G', 1000n ** 4n],
  ['T', 1000n ** 5n],
  ['Ki', 1000n * 1024n],
  ['Mi', 1000n * 1024n ** 2n],
  ['Gi', 1000n * 1024n ** 3n],
  ['Ti', 1000n * 1024n ** 4n],
]);

/**
 * Normalizes a Kubernetes quantity to billionths, so that `1`, `1000m` and `1.0` are equal, and `1Gi` and `1024Mi`.
 *
 * @returns null when the text is not a quantity
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function quantityForm(text: string): string | null {
  const [, whole, fraction = '', unit = ''] = QUANTITY.exec(text) ?? [];
  if (whole === undefined) return null;
  return String(BigInt(whole + fraction.padEnd(6, '0')) * (THOUSANDTHS.get(unit) as bigint));
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,9})?$/;

/** Normalizes a decimal number, so that `0.9` and `0.90` are equal; null for any other text, also for long numbers. */
export function numberForm(text: string): string | null {
  return NUMBER.test(text) && text.length <= 16 ? String(Number(text)) : null;
}

const QUERY_TOKEN = /"[^"]*"|'[^']*'|\{[^{}]*\}|[\w.:$@-]+|[^\s\w]|\s+/g;
const SPACE = /^\s/;
const SIGN = /^[-+*/(),<>=]$/;

/**
 * Normalizes a query of metrics: spaces around signs, and the form of numbers, do not matter. Filters in braces and
 * quoted texts are kept as they are.
 *
 * @returns null for a text that is too long
 */
export function metricQueryForm(text: string): string | null {
  if (text.length > 20_000) return null;
  const tokens = text.trim().match(QUERY_TOKEN) ?? [];
  const kept = tokens.filter((token, at) => !SPACE.test(token) || !(isSign(tokens[at - 1]) || isSign(tokens[at + 1])));
  return kept.map((token) => (SPACE.test(token) ? ' ' : (numberForm(token) ?? token))).join('\0');
}

function isSign(token: string | undefined): boolean {
  return token !== undefined && SIGN.test(token);
}
