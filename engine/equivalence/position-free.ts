/** Lists in which the position of an item has no meaning, whatever the provider. */
import { parseCidr } from '../lib/cidr.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';

/** Names of lists whose items apply each for itself, whatever words precede them. */
const FREE_NAMES = [
  'members owners users usernames user_ids people groups group_ids teams team_ids roles role_ids role_names principals subjects identities entities entity_ids service_accounts approvers reviewers contributors watchers followers recipients emails email email_addresses subscribers accounts account_ids tenant_ids organizations org_ids clients client_ids',
  'permissions privileges capabilities scopes scope verbs grants entitlements operations key_opts key_ops key_usage key_usages usages extended_key_usage extended_key_usages policy_arns',
  'countries country_codes continents zone_ids namespaces environment_ids projects project_ids workspaces workspace_ids architectures devices browsers currencies',
  'cidrs cidr_blocks ip_ranges source_ranges ip_rules ip_addresses ip_list domains origins security_groups security_group_ids security_group_names subnet_ids vpc_ids ports protocols ssl_protocols tls_versions sans dns_sans ip_sans subject_alternative_names alternative_names',
  'tags tag_ids topics labels methods http_methods events event_types event_categories app_types features feature_flags contexts categories statuses severities status_codes response_codes days weekdays days_of_week keywords names resource_types log_types channels channel_ids notification_channels redirect_uris callbacks callback_urls logout_urls grant_types response_types audiences thumbprints thumbprint_list fingerprints ssh_keys public_keys authorized_keys repository_ids key_ids monitor_ids',
  'allow deny allowlist denylist blocklist whitelist blacklist include includes exclude excludes exclusions ignore ignored',
];
const FREE: ReadonlySet<string> = new Set(FREE_NAMES.join(' ').split(' '));
/** Names that only mean this alone: `termination_policies` are tried in order. */
const ALONE: ReadonlySet<string> = new Set(['policies', 'token_policies', 'allowed_policies']);
/** The most words of such a name. */
const MAX_WORDS = 3;
/** First words that say the same. */
const LISTED =
  /^(?:allowed|denied|blocked|permitted|authorized|trusted|excluded|ignored|required|restricted|enabled|disabled|supported|accepted|forbidden|banned|selected|bound|token_bound|exempted|monitored|included)_(?!.*(?:order|priorit|rule|polic|cipher|algorithm|server|resolver|host|provider|factor|method_order))/;
/** Words that say that an order counts, wherever they stand in the path or the type. */
const RANKED =
  /(?:^|_)(?:order|ordered|ordering|orders|sequence|priority|priorities|failover|fallback|fallbacks|escalation|rotation|schedule|layer|layers|step|steps|stage|stages|chain|path|precedence|preference|preferred|ranking|rank|steering|pipeline|overrides|oncall|on_call|queue|routing|waterfall|succession|hierarchy|search)(?:_|$)/;

/** Places from which something is measured; where something runs, the first place may be the preferred one. */
const PLACES_OF_PROBES = /(?:^|_)(?:locations|regions|zones|probes|countries)$/;
const PROBES = /(?:^|_)(?:check|checks|synthetic|synthetics|probe|monitor|uptime|test|ping)(?:_|$)/;

/** Whether a list of places, by the names above it, says from where a check runs. */
export function listsProbes(name: string, names: readonly string[]): boolean {
  return PLACES_OF_PROBES.test(name) && names.some((one) => PROBES.test(one));
}

/** Whether the name of a list says that the positions of its items have no meaning. */
export function isPositionFree(name: string): boolean {
  if (ALONE.has(name)) return true;
  const words = name.split('_');
  for (let count = 1; count <= MAX_WORDS && count <= words.length; count++)
    if (FREE.has(words.slice(-count).join('_'))) return true;
  return LISTED.test(name);
}

/** Whether a name on the path of a list, or its type, says that an order counts. */
export function saysOrder(name: string): boolean {
  return RANKED.test(name);
}

const OPERATORS = ['operator', 'op', 'comparison', 'type', 'mode'];
const MEMBERSHIP =
  /^(?:not_?)?(?:in|one_?of|any_?of|none_?of|allowlist|blocklist|include|exclude|union|intersection)$/i;

/** Lists of conditions that all, or of which any, must hold. */
const OPERANDS = /^(?:and|or|any|all|not)(?:_?of|_statement|_statements|_condition|_conditions|Of)?$/;

/** Whether a name stands for an operator whose operands are a list. */
export function namesOperator(name: string): boolean {
  return OPERANDS.test(name);
}

/** Whether the operator of a block compares with any of the values of the block. */
export function comparesWithAny(block: JsonValue): boolean {
  return isObject(block) && OPERATORS.some((name) => MEMBERSHIP.test(String(block[name])));
}

/** Members that name what an item is about, so that each item is about another thing. */
const SUBJECTS = [
  'column',
  'field',
  'attribute',
  'key',
  'secretKey',
  'parameter',
  'header',
  'label',
  'variable',
  'setting',
];
/** Lists of blocks with names, to which others refer by name. */
const NAMED =
  /(?:^|_)(?:volume|volumes|toleration|tolerations|secret|secrets|env|environment_variable|environment_variables|receiver|receivers|alias|aliases|topic|topics|queue|queues|database|databases|bucket|buckets|webhook|webhooks|integration|integrations|certificate|certificates|peer|peers|health_check|healthcheck|datasource|datasources|credential|credentials|tag|tags|variable|variables|user|users|domain|domains)$/;
/** Lists of blocks of which each grants something. */
const GRANTS =
  /(?:^|_)(?:grant|grants|permission|permissions|access|access_group|privilege|privileges|binding|bindings|subject|subjects)$/;
const DENIES = /(?:^|_)(?:action|effect|deny|denied|decision|allow|allowed|priority|order|precedence)$/;
/** Lists of such items whose order is the order of a result, or of what is done. */
const SERIES =
  /(?:^|_)(?:column|columns|field|fields|action|actions|transform|transforms|transformation|transformations|processor|processors|rule|rules|route|routes|filter|filters|sort|index|indexes|schema|partition|partitions|replacement|replacements|mutation|mutations)$/;
/** Members that decide what happens to what an item matches, so that the first match may count. */
const DECISIONS =
  /(?:^|_)(?:action|effect|deny|decision|verdict|type|priority|order|order_id|precedence|weight|rank|position|index|sequence|number|policy|mode|target|rule_no|rule_number|access)$/;
const DESCRIPTIONS: ReadonlySet<string> = new Set(['description', 'comment', 'name', 'note', 'label', 'title', 'id']);

/** Members with the place of an item among the others. */
const PLACES = ['priority', 'precedence', 'Precedence', 'rule_no', 'rule_number', 'rank', 'order', 'sequence'];

/** Whether each item of a list says its place by a number of its own, so that its position in the list does not. */
export function saysPlaces(items: readonly JsonValue[]): boolean {
  const blocks = items.filter(isObject);
  if (blocks.length !== items.length || blocks.length < 2) return false;
  return PLACES.some((place) => {
    const places = new Set(blocks.map((block) => block[place]));
    return places.size === blocks.length && [...places].every((one) => typeof one === 'number');
  });
}

/** Whether each item of a list of blocks applies for itself: settings of different things, or addresses that are let in. */
export function appliesSeparately(name: string, items: readonly JsonValue[]): boolean {
  const blocks = items.filter(isObject);
  if (blocks.length !== items.length || blocks.length === 0) return false;
  if (isKeyed(name, blocks) || blocks.every(admitsAddress)) return true;
  return GRANTS.test(name) && !blocks.some((block) => Object.keys(block).some((member) => DENIES.test(member)));
}

/** Whether the items of a list of texts say themselves that their positions have no meaning. */
export function areSeparate(items: readonly JsonValue[]): boolean {
  if (!items.every((item) => typeof item === 'string')) return false;
  return listsBlocks(items) || isSettings(items) || items.every((item) => /^allow\s/i.test(item));
}

/** Blocks of addresses; single addresses can be servers, of which the first one counts. */
function listsBlocks(items: readonly string[]): boolean {
  return items.every((item) => parseCidr(item) !== undefined) && items.some((item) => item.includes('/'));
}

const SETTING = /^([A-Za-z_][\w.-]{0,100})=[^$]*$/;

/** `CreateNamespace=true`: each setting once, and none that refers to another one. */
function isSettings(items: readonly string[]): boolean {
  const names = new Set(items.map((item) => SETTING.exec(item)?.[1]));
  return !names.has(undefined) && names.size === items.length;
}

function isKeyed(name: string, blocks: readonly JsonObject[]): boolean {
  if (SERIES.test(name)) return false;
  const subjects = NAMED.test(name) ? [...SUBJECTS, 'name'] : SUBJECTS;
  return subjects.some((subject) => {
    const keys = new Set(blocks.map((block) => block[subject]));
    return keys.size === blocks.length && [...keys].every((key) => typeof key === 'string' && key !== '');
  });
}

/** Whether a block lists addresses, and does not say what happens to them. */
function admitsAddress(block: JsonObject): boolean {
  const names = Object.keys(block).filter((name) => !DESCRIPTIONS.has(name) && !isUnset(block[name]));
  return names.some((name) => listsAddresses(block[name])) && !names.some((name) => DECISIONS.test(name));
}

function listsAddresses(value: JsonValue | undefined): boolean {
  const items = Array.isArray(value) ? value : [value];
  return items.length > 0 && items.every((item) => typeof item === 'string' && parseCidr(item) !== undefined);
}

function isUnset(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}
