const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Set in every character but the last of a number; five bits remain for digits. */
const CONTINUES = 32;

/** Whole numbers ≥ 0 as text: base 64 with variable length, as in source maps but without signs. */
export function encodeNumbers(numbers: readonly number[]): string {
  return numbers.map(encodeNumber).join('');
}

function encodeNumber(value: number): string {
  const high = Math.floor(value / CONTINUES);
  const low = value % CONTINUES;
  return high === 0 ? DIGITS[low]! : DIGITS[low + CONTINUES]! + encodeNumber(high);
}

let codes: Uint8Array | undefined;

/** Numbers of a text that `encodeNumbers` wrote. */
export function decodeNumbers(text: string): number[] {
  codes ??= Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, DIGITS.indexOf(String.fromCharCode(code))));
  const numbers: number[] = [];
  let value = 0;
  let scale = 1;
  for (let at = 0; at < text.length; at++) {
    const digit = codes[text.charCodeAt(at)]!;
    value += (digit % CONTINUES) * scale;
    scale *= CONTINUES;
    if (digit >= CONTINUES) continue;
    numbers.push(value);
    value = 0;
    scale = 1;
  }
  return numbers;
}
