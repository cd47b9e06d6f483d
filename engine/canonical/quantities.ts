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
