import { isPlainSecret } from './plain-secret.ts';
import { readValue, type Span } from './read-value.ts';

interface Tool {
  /** The option whose value is a password. */
  option: string;
  /** The value may follow the option without a space: `-pX`. */
  attached?: boolean;
  /** The option has this meaning only after this subcommand. */
  subcommand?: string;
  /** The password follows this sign in the value: `user:password`. */
  after?: string;
}

const TOOLS = new Map<string, Tool>();
function define(names: string, tool: Tool): void {
  for (const name of names.split(' ')) TOOLS.set(name, tool);
}
define('mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlpump mysqlsh', {
  option: '-p',
  attached: true,
});
define(
  'mariadb mariadb-dump mariadb-admin mongo mongosh mongodump mongorestore mongoexport mongoimport sshpass cqlsh',
  {
    option: '-p',
    attached: true,
  },
);
define('psql pg_dump pg_dumpall pg_restore createdb 7z 7za', { option: '-p', attached: true });
define('docker podman nerdctl helm skopeo buildah crane oras az', {
  option: '-p',
  attached: true,
  subcommand: 'login',
});
define('useradd usermod', { option: '-p' });
define('consul', { option: '-encrypt', subcommand: 'agent' });
define('openssl', { option: '-k', subcommand: 'enc' });
define('etcdctl', { option: '--user', after: ':' });
define('redis-cli redis-benchmark valkey-cli', { option: '-a' });
define('sqlcmd bcp osql isql mosquitto_pub mosquitto_sub ipmitool zip unzip', { option: '-P', attached: true });
define('ldapsearch ldapadd ldapmodify ldappasswd ldapwhoami ldapdelete', { option: '-w' });
define('curl http https lftp', { option: '-u', attached: true, after: ':' });
define('smbclient rpcclient', { option: '-U', attached: true, after: '%' });

/** The option of a tool whose whole value is a password; undefined for other tools and subcommands. */
export function findPasswordOption(tool: string, words: readonly string[]): string | undefined {
  const known = TOOLS.get(tool.slice(tool.lastIndexOf('/') + 1));
  if (known === undefined || known.after !== undefined) return undefined;
  return known.subcommand === undefined || words.includes(known.subcommand) ? known.option : undefined;
}

/** A quick search for a tool; the exact name is looked up in `TOOLS`. */
const TOOL =
  /(?<![\w.-])(?:mysql\w{0,8}|mariadb[\w-]{0,8}|mongo\w{0,8}|psql|pg_\w{4,8}|createdb|sshpass|cqlsh|docker|podman|nerdctl|helm|skopeo|buildah|crane|oras|az|redis-(?:cli|benchmark)|valkey-cli|sqlcmd|bcp|osql|isql|mosquitto_[ps]ub|ipmitool|7za?|zip|unzip|ldap\w{3,8}|curl|https?|lftp|smbclient|rpcclient|user(?:add|mod)|consul|openssl|etcdctl)(?![\w.-])/g;
const WORD = /[^\s"'`,;|&()[\]{}<>\\]{1,4096}/y;
/** A quote, comma or continued line between words of one command. */
const GAP = /[ \t"'`,()[\]{}\\]|\\\r?\n|\n\s{0,40}-[ \t]/y;
const VALUE_GAP = /\\{0,7}["']?[ \t]{0,8},?\s{0,40}/y;
const LONG_USER = /^--(?:user|proxy-user)$/;
/** Ports, port mappings and addresses. */
const PORT = /^(?:\d{1,5}|[\d.]{0,15}:?\d{1,5}(?:-\d{1,5})?:\d{1,5}(?:\/\w{3})?)$/;

/** Passwords in short options of known tools: `mysql -pX`, `redis-cli -a X`, `curl -u user:X`. */
export function* findCommandValues(text: string): Iterable<Span> {
  let from = 0;
  for (;;) {
    TOOL.lastIndex = from;
    const found = TOOL.exec(text);
    if (found === null) return;
    const command = new CommandReader(text, found.index);
    yield* command.read();
    from = Math.max(command.at, TOOL.lastIndex, found.index + 1);
  }
}

/** Reads the words of one command, up to a line break or a sign that separates commands. */
class CommandReader {
  at: number;
  private readonly text: string;
  private tool: Tool | undefined;
  private subcommands = new Set<string>();

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  *read(): Iterable<Span> {
    for (let word = this.nextWord(); word !== undefined; word = this.nextWord()) {
      const known = TOOLS.get(word.slice(word.lastIndexOf('/') + 1));
      if (known !== undefined && !word.startsWith('-')) {
        this.tool = known;
        this.subcommands.clear();
      } else if (!word.startsWith('-')) this.subcommands.add(word);
      else {
        const value = this.readOption(word);
        if (value !== undefined) yield value;
      }
    }
  }

  private nextWord(): string | undefined {
    const { text } = this;
    for (;;) {
      GAP.lastIndex = this.at;
      if (!GAP.test(text)) break;
      this.at = GAP.lastIndex;
    }
    WORD.lastIndex = this.at;
    const [word] = WORD.exec(text) ?? [];
    if (word !== undefined) this.at += word.length;
    return word;
  }

  private readOption(word: string): Span | undefined {
    const { tool, text } = this;
    if (tool === undefined) return undefined;
    const { option, after, subcommand, attached } = tool;
    if (subcommand !== undefined && !this.subcommands.has(subcommand)) return undefined;
    const is_long = after === ':' && LONG_USER.test(word);
    if (!is_long && !word.startsWith(option)) return undefined;
    const is_alone = is_long || word === option;
    if (!is_alone && attached !== true) return undefined;
    const start = is_alone ? this.findValue() : this.at - word.length + option.length;
    const value = readValue(text, start);
    this.at = Math.max(this.at, value.end);
    return acceptValue(text, value, after);
  }

  private findValue(): number {
    if (/^[^\S\n]{0,4}["'`]/.test(this.text.slice(this.at, this.at + 5)) || this.text[this.at] === '\\') {
      VALUE_GAP.lastIndex = this.at;
      const [gap = ''] = VALUE_GAP.exec(this.text) ?? [];
      // A quote directly after the option closes it; after a space, it opens the value.
      return gap.includes(',') ? this.at + gap.length : this.skipSpaces();
    }
    return this.skipSpaces();
  }

  private skipSpaces(): number {
    let { at } = this;
    while (this.text[at] === ' ' || this.text[at] === '\t') at++;
    return at;
  }
}

function acceptValue(text: string, { start, end }: Span, after: string | undefined): Span | undefined {
  const at = after === undefined ? start : text.indexOf(after, start) + 1;
  if (at < start || at > end || (after !== undefined && at === start)) return undefined;
  const value = text.slice(at, end);
  if (value.length < 4 || value.startsWith('-') || PORT.test(value) || !isPlainSecret(value)) return undefined;
  return { start: at, end };
}
