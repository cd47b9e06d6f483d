/** What the names on a path say about the value: whether it may be a text that somebody wrote, or a secret. */

/** Names of personal data, of secrets and of comments: a value under a name with such a word is never shown. */
const PRIVATE = toSet(`comment comments description descriptions email license login nonce note notes passcode
  passphrase pem phone pin plaintext salt seed signature signatures`);

/** Words that name a text or a value of any kind where they end the last name, as in `user_data`. */
const FREE = toSet(`annotation annotations answer arg args argument arguments auth body cert certificate code command
  config configuration content contents cookie cookies custom data default defaults definition definitions document dsn
  env environment environments hash header headers input inputs json key keys label labels map message messages metadata
  output outputs pair pairs param parameter parameters params pass payload properties property query sas script scripts
  setting settings string strings sub subject tag tags template text title triggers uri url urls user username users value
  values variable variables vars yaml`);

/** Words that, where they end the name of an enclosing block, say that its keys and values are free. */
const MAPS = toSet(`annotation annotations arg args argument arguments commands content contents cookies data env
  environment environments headers inputs json labels map messages outputs pairs payload scripts secrets tags triggers
  variable variables vars yaml`);

/** Words for maps of labels, wherever they stand, as in `tags_all`. */
const LABELS = toSet('tags labels annotations');

/** Last words of names of amounts, such as `message_retention_seconds`: a number there is no text and no secret. */
const UNITS = toSet(`seconds secs minutes mins hours days weeks months years ms millis bytes kb mb gb tb gib mib percent
  percentage count`);

const NAME = /^[A-Za-z][A-Za-z0-9_.:/-]{0,60}$/;
const CAMEL = /([a-z0-9])([A-Z])/g;

/** Whether every name on the path is one that a program would write. */
export function hasPlainNames(path: readonly (string | number)[]): boolean {
  return path.every((segment) => typeof segment !== 'string' || NAME.test(segment));
}

/**
 * @param path names and list indexes
 * @returns null if the value cannot be a text of any kind; `amount` if only numbers cannot
 */
export function nameFreedom(path: readonly (string | number)[]): 'free' | 'amount' | null {
  const names = path.filter((segment) => typeof segment === 'string');
  const last = names.at(-1);
  if (last === undefined || !hasPlainNames(names)) return 'free';
  const words = names.map(splitName);
  const is_free =
    words.some((own) => own.some((word) => PRIVATE.has(word))) ||
    words.slice(0, -1).some((own) => MAPS.has(own.at(-1)!) || own.some((word) => LABELS.has(word))) ||
    FREE.has(words.at(-1)!.at(-1)!);
  if (UNITS.has(words.at(-1)!.at(-1)!)) return is_free ? 'amount' : null;
  return is_free ? 'free' : null;
}

/** Whether the last name is one of an amount, such as `retention.ms`. */
export function isAmountName(name: string | undefined): boolean {
  return name !== undefined && UNITS.has(splitName(name).at(-1)!);
}

function splitName(name: string): string[] {
  return name
    .replace(CAMEL, '$1_$2')
    .toLowerCase()
    .split(/[_.:/-]/);
}

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
