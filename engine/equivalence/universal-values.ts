/** Texts that mean the same in every provider, because they say their units or their notation, or their name does. */
import { conditionForm } from '../canonical/conditions.ts';
import { quartzForm } from '../canonical/cron.ts';
import { javascriptForm } from '../canonical/javascript.ts';
import { hostForm, imageForm, recordForm } from '../canonical/names.ts';
import { isSameNotation, textRecordForm } from '../canonical/notations.ts';
import { pairsForm } from '../canonical/pairs.ts';
import { recurrenceForm } from '../canonical/recurrence.ts';
import { literalAlternativesForm } from '../canonical/regexes.ts';
import type { ResourceLocation } from '../canonical/resource-location.ts';
import { isSameChoice, isSameSetting, isSameSwitch, namesChoice } from '../canonical/spelling.ts';
import { textListForm } from '../canonical/text-lists.ts';
import { zoneForm } from '../canonical/times.ts';
import {
  isSameAddress,
  isSameBlockList,
  isSameCron,
  isSameDuration,
  isSameInstant,
  isSameSeconds,
  isSameSize,
} from '../canonical/universal.ts';
import { urlForm } from '../canonical/urls.ts';
import type { PathNode } from '../changes/path-node.ts';
import type { AttributeDiff, Equivalence } from '../model/result.ts';
import { isPositionFree, saysOrder } from './position-free.ts';

type Form = (text: string) => string | null;

/** Keys that users choose freely, and texts that people read. */
const FREE = /^(?:tags|labels|annotations|name|description|comment|title)$/;
/** Arguments of Vault that count seconds when they have no unit. */
const SECONDS = /(?:^|_)(?:ttl|period|lease|duration|expiry|validity|leeway)(?:_|$)/;
/** Programs and keys are long, and no such value is. */
const MAX_VALUE_CHARS = 20_000;
const ZONE = /^(?:time_?zone|timezone|tz)$/i;
/** Arguments whose URLs are compared letter by letter, because they identify somebody. */
const IDENTIFIERS =
  /redirect|callback|issuer|origin|audience|logout|entity|identifier|realm|subject|claim|condition|namespace|recipient/i;
const HOSTS =
  /(?:^|_)(?:domain|domains|domain_name|domain_names|fqdn|fqdns|hostname|hostnames|dns_name|dns_names|cname|cnames|sans|subject_alternative_names|name_servers|nameservers|common_name|mx_host)$/;
/** Arguments with a value of a DNS record, whose type another argument says. */
const RECORDS = /^(?:value|values|content|record|records|rrdatas|target|targets|data|answer|answers|record_value)$/;
const CONDITIONS = /(?:^|_)(?:match|when|if|condition|conditions|expression|filter|predicate|criteria|selector|rule)$/i;
const QUERIES = /(?:^|_)(?:query|expr)$/;
/** SQL, in which the kinds of quotation marks differ, and metrics, whose operators keep the values of one side. */
const SELECTS = /^\s*(?:select|with)\s|[{[]|\w\(/i;
const PROGRAMS = /(?:^|_)(?:code|script|content|source|body|function|program|handler_code|source_code)$|\.m?js$/;

const TIMES: readonly ((before: string, after: string) => boolean)[] = [
  isSameDuration,
  isSameInstant,
  isSameCron,
  bySameForm(recurrenceForm),
];

/** The kind of equivalence of both values of a leaf that is not sensitive; null if not proven. */
export function findUniversal(
  type: string,
  node: PathNode,
  diff: AttributeDiff,
  { record_type }: ResourceLocation,
): Equivalence | null {
  const { before, after } = diff;
  if (type.startsWith('vault_') && SECONDS.test(node.name) && isSameSeconds(String(before), String(after)))
    return 'time';
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  if (PROGRAMS.test(node.name) && hasSameForm(javascriptForm, before, after)) return 'document';
  if (before.length > MAX_VALUE_CHARS || after.length > MAX_VALUE_CHARS) return null;
  // A list of blocks means the same also in an annotation that a controller reads.
  if (isSameBlockList(before, after)) return 'address';
  if (RECORDS.test(node.name) && isSameRecord(before, after, record_type)) return 'name';
  const same = compareTexts(node, before, after);
  // Paths are long, and few values are equal.
  return same === null || isFree(node) ? null : same;
}

function compareTexts(node: PathNode, before: string, after: string): Equivalence | null {
  if (TIMES.some((isSame) => isSame(before, after))) return 'time';
  if (isSameAddress(before, after)) return 'address';
  if (isSetting(node) && isSameSetting(before, after)) return 'name';
  if (isSameSize(before, after)) return 'number';
  if (/quartz/.test(node.name) && hasSameForm(quartzForm, before, after)) return 'time';
  if (ZONE.test(node.name) && zoneForm(before) === zoneForm(after)) return 'name';
  if (node.name === 'image' && imageForm(before) === imageForm(after)) return 'name';
  if (isSameName(node, before, after)) return 'name';
  if (!isMapMember(node) && isSameNotation(node.name, before, after)) return 'name';
  if (hasSameForm(pairsForm, before, after)) return 'order';
  if (isSameList(node, before, after)) return 'order';
  if (hasSameForm(literalAlternativesForm, before, after)) return 'document';
  if (isCondition(node.name, before) && hasSameForm(conditionForm, before, after)) return 'document';
  return isSameUrl(node, before, after) ? 'name' : null;
}

/** Choices, switches and host names, whose letter case does not matter. Keys of maps are names that users choose. */
function isSameName(node: PathNode, before: string, after: string): boolean {
  if (isSwitch(node) && isSameSwitch(before, after)) return true;
  if (isMapMember(node)) return false;
  if (namesChoice(node.name) && isSameChoice(node.name, before, after)) return true;
  return HOSTS.test(node.name) && before.includes('.') && hasSameForm(hostForm, before, after);
}

function isSameRecord(before: string, after: string, type: string | null): boolean {
  if (type === 'TXT' || type === 'SPF') return hasSameForm(textRecordForm, before, after);
  return hasSameForm((text) => recordForm(text, type), before, after);
}

/** Lists of settings of a database. */
const SETTINGS = /^(?:parameter|parameters|database_flags|server_parameter|configuration)$/;

function isSetting({ name, parent }: PathNode): boolean {
  return name === 'value' && SETTINGS.test(String(parent?.parent?.segment));
}

function isCondition(name: string, text: string): boolean {
  return CONDITIONS.test(name) || (QUERIES.test(name) && !SELECTS.test(text));
}

/** Metadata keys of machines that switch something, which Google compares without case. */
const SWITCHES = /^(?:enable|block|disable|serial-port)[a-z-]{0,60}$/;

function isSwitch(node: PathNode): boolean {
  if (node.parent?.segment === 'metadata') return SWITCHES.test(node.name);
  return !isMapMember(node);
}

function isMapMember({ segment, parent }: PathNode): boolean {
  return typeof segment === 'string' && typeof parent?.segment === 'string' && parent.depth > 0;
}

function isSameList(node: PathNode, before: string, after: string): boolean {
  const names = node.segments.filter((segment): segment is string => typeof segment === 'string');
  if (names.some((name) => saysOrder(name))) return false;
  const is_set = isPositionFree(node.name.replace(/[.-]/g, '_'));
  return hasSameForm((text) => textListForm(text, is_set), before, after);
}

function isSameUrl(node: PathNode, before: string, after: string): boolean {
  return before.includes('://') && !IDENTIFIERS.test(node.name) && hasSameForm(urlForm, before, after);
}

function isFree(node: PathNode): boolean {
  return node.segments.some((segment) => FREE.test(String(segment)));
}

function bySameForm(write: Form): (before: string, after: string) => boolean {
  return (before, after) => hasSameForm(write, before, after);
}

function hasSameForm(write: Form, before: string, after: string): boolean {
  const form = write(before);
  return form !== null && form === write(after);
}
