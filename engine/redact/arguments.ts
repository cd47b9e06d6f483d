import type { JsonValue } from '../model/result.ts';
import { findPasswordOption } from './command-values.ts';
import { classifyLabel, isSecretLabel } from './labels.ts';
import { isPlainSecret } from './plain-secret.ts';

/** Options that are set as two words and without dashes, such as `requirepass` of Redis. */
const OPTION = /^-{1,2}[A-Za-z]/;
const DIRECTIVE = /^(?:requirepass|masterauth)$/;
/** A tool stands at the beginning of a list of arguments. */
const FIRST_WORDS = 8;

/** Whether an item of a list is the value of a secret option before it: `["--password", "…"]`, `["redis-cli", "-a", "…"]`. */
export function isSecretArgument(list: readonly JsonValue[], index: number): boolean {
  const [option, value] = [list[index - 1], list[index]];
  if (typeof option !== 'string' || typeof value !== 'string' || value.startsWith('-')) return false;
  if (!OPTION.test(option) && !DIRECTIVE.test(option)) return false;
  const labeled = option.length > 2 && isSecretLabel(classifyLabel(option.replace(/^-{1,2}/, '')));
  return (labeled || isToolOption(list, option)) && isPlainSecret(value);
}

function isToolOption(list: readonly JsonValue[], option: string): boolean {
  if (option.length !== 2) return false;
  const words = list.slice(0, FIRST_WORDS).filter((item) => typeof item === 'string');
  return words.some((word) => findPasswordOption(word, words) === option);
}
