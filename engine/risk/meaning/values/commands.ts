/** Judges commands that keep running but no longer do their work: a dump without rows, a backup as a dry run. */
import type { MaybeJson } from '../../../changes/values.ts';
import { member, strings, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const COMMAND = listWords('command arg argument script cmd entrypoint entry exec shell run program');
const PARTS = ['entrypoint', 'command', 'cmd', 'args', 'arguments'];
const MAX_CHARS = 20_000;

/** A tool, and the options with which it does not do its work. */
interface IdleOption {
  tool: RegExp;
  option: RegExp;
  consequence: string;
}

const NO_ROWS = 'The dump holds only definitions and no data, although it still succeeds';
const ONLY_SHOWS = 'The command only shows what it would do, although it still succeeds';

const IDLE_OPTIONS: readonly IdleOption[] = [
  { tool: /\bpg_dump(?:all)?\b/, option: /\s(?:--schema-only|-s)(?=\s|$)/, consequence: NO_ROWS },
  { tool: /\bpg_dumpall\b/, option: /\s(?:--globals-only|--roles-only|-g|-r)(?=\s|$)/, consequence: NO_ROWS },
  { tool: /\b(?:mysql|mariadb-)dump\b/, option: /\s(?:--no-data|-d)(?=\s|$)/, consequence: NO_ROWS },
  { tool: /\b(?:mydumper|mysqlpump)\b/, option: /\s(?:--no-data|--skip-dump-rows|-d)(?=\s|$)/, consequence: NO_ROWS },
  { tool: /\bclickhouse-backup\b/, option: /\s--schema(?:=true)?(?=\s|$)/, consequence: NO_ROWS },
  {
    tool: /\bvelero\b/,
    option: /\s(?:--snapshot-volumes=false|--default-volumes-to-fs-backup=false)(?=\s|$)/,
    consequence: 'The backup holds no volumes',
  },
  {
    tool: /\b(?:restic|rclone|borg|kopia|duplicity|rsync|azcopy|s5cmd|certbot|flyway|liquibase|gsutil|barman|helm|kubectl)\b/,
    option: /\s--dry-run(?:=(?!none|false)\w{1,20})?(?=\s|$)/,
    consequence: ONLY_SHOWS,
  },
  { tool: /\b(?:restic|borg|rsync)\b/, option: /\s-[a-zA-Z]{0,8}n[a-zA-Z]{0,8}(?=\s|$)/, consequence: ONLY_SHOWS },
  { tool: /\baws\s{1,5}s3\b/, option: /\s--dryrun(?=\s|$)/, consequence: ONLY_SHOWS },
];

const SQL = listWords('sql statement query command script cmd');
/** Statements that empty or drop a table; a deletion has no condition. */
const DESTROYS =
  /\b(?:truncate\s{1,5}(?:table\s)?|drop\s{1,5}(?:table|database|schema)\b|delete\s{1,5}from\s{1,5}[\w."]{1,200}\s{0,5}(?:;|$))/i;

function judgeStatement({ words, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, SQL) || typeof before !== 'string' || typeof after !== 'string') return null;
  if (after.length > MAX_CHARS || !DESTROYS.test(after) || DESTROYS.test(before)) return null;
  const consequence = 'The statement empties or drops a table';
  return { rule: 'R-VAL-COMMAND', level: 'high', direction: 'weakening', consequence, beyond_rules: true };
}

export function judgeCommand(argument: Argument): ValueFinding | null {
  return judgeStatement(argument) ?? judgeIdleCommand(argument) ?? judgeDownload(argument) ?? judgeScope(argument);
}

const DOWNLOADS = /\b(?:curl|wget)\b/;
const RUNS =
  /\|\s{0,5}(?:sudo\s{1,5})?(?:ba|z|da)?sh\b|\b(?:ba|z)?sh\b\s{1,5}(?:-c\s{1,5})?["']?(?:<\(|\$\()\s{0,5}(?:curl|wget)\b/;

/** The parts of a command, of which one downloads code and the next one runs it. */
function judgeDownload({ names, words, before, after, parent, former }: Argument): ValueFinding | null {
  if (!hasAny(words, COMMAND)) return null;
  const name = names.at(-1) ?? '';
  const [from, to] = [readCommand(former, name, before), readCommand(parent, name, after)];
  if (!DOWNLOADS.test(to) || !RUNS.test(to) || RUNS.test(from)) return null;
  return { ...REPORTED, level: 'high', consequence: 'Code is downloaded and run without a check' };
}

const REPORTED = { rule: 'R-VAL-COMMAND', direction: 'weakening', beyond_rules: true } as const;
/** Commands whose parts name what they delete. */
const DELETES =
  /(?:^|[\s/_-])(?:purge|delete|rm|prune|cleanup|clean|wipe|erase|expire|truncate|drop|destroy|remove)(?=$|[\s_-])/i;
const ALL = /^(?:\*|all|\.|\/|\.\*|--all|%)$/i;

/** A command that deletes gets all instead of one, or the folder around a folder. */
function judgeScope({ names, words, before, after, parent, former }: Argument): ValueFinding | null {
  if (!hasAny(words, COMMAND)) return null;
  const name = names.at(-1) ?? '';
  const [from, to] = [readCommand(former, name, before), readCommand(parent, name, after)];
  if (!DELETES.test(from) || !DELETES.test(to)) return null;
  const [was, is] = [from.split(/\s{1,20}/), to.split(/\s{1,20}/)];
  const at = was.findIndex((part, index) => part !== is[index]);
  if (at < 0 || was.length !== is.length || was.some((part, index) => index > at && part !== is[index])) return null;
  const [part, other] = [toValue(was[at]!), toValue(is[at]!)];
  if (ALL.test(other) && !ALL.test(part))
    return { ...REPORTED, level: 'high', consequence: 'Everything is deleted, not only a part' };
  return other.includes('/') && part.startsWith(`${other.replace(/\/$/, '')}/`)
    ? { ...REPORTED, level: 'medium', consequence: 'A whole folder is deleted, not only one inside it' }
    : null;
}

/** `--scope=sessions` as `sessions`. */
function toValue(part: string): string {
  return part.startsWith('-') && part.includes('=') ? part.slice(part.indexOf('=') + 1) : part;
}

function judgeIdleCommand({ names, words, before, after, parent, former }: Argument): ValueFinding | null {
  if (!hasAny(words, COMMAND) || before === undefined || after === undefined) return null;
  const name = names.at(-1) ?? '';
  const [from, to] = [readCommand(former, name, before), readCommand(parent, name, after)];
  const found = IDLE_OPTIONS.find((idle) => isIdle(idle, to) && !isIdle(idle, from));
  if (found === undefined || !found.tool.test(from)) return null;
  const { consequence } = found;
  return { rule: 'R-VAL-COMMAND', level: 'high', direction: 'weakening', consequence, beyond_rules: true };
}

function isIdle({ tool, option }: IdleOption, command: string): boolean {
  return tool.test(command) && option.test(command);
}

/** The whole command: a tool may stand in one argument and its options in another. */
function readCommand(holder: MaybeJson, name: string, value: MaybeJson): string {
  const parts = PARTS.includes(name) ? PARTS.map((part) => member(holder, part)) : [value];
  const command = parts.flatMap((part) => (Array.isArray(part) ? strings(part) : [text(part)])).join(' ');
  return command.length > MAX_CHARS ? '' : command;
}
