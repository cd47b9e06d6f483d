/** Texts that list settings, each with a name of its own: `env=prod,team=shop`, `Server=db;Port=5432`. */
const MAX_PAIRS = 200;
const NAME = /^[A-Za-z][\w ./-]{0,100}$/;

/**
 * The settings of such a text, sorted by name.
 *
 * @returns null for fewer than two settings, for a name that occurs twice, and for references between settings
 */
export function pairsForm(text: string): string | null {
  if (text.length > 20_000 || /[$"'\n]/.test(text)) return null;
  const mark = [';', ',', '&'].find((one) => text.includes(one));
  if (mark === undefined) return null;
  const parts = text.split(mark, MAX_PAIRS + 1).map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  const pairs = new Map<string, string>();
  for (const part of parts) {
    const [name = '', value, ...more] = part.split('=').map((piece) => piece.trim());
    if (value === undefined || more.length > 0 || !NAME.test(name) || pairs.has(name)) return null;
    pairs.set(name, value);
  }
  if (pairs.size < 2 || pairs.size > MAX_PAIRS) return null;
  return [...pairs]
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join(mark);
}
