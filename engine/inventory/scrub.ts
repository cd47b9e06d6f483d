import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { scrubValue } from '../redact/scrub-value.ts';
import { capSize } from './cap-size.ts';
import { REDACTED } from './withheld.ts';

const MAX_DEPTH = 100;
const MAX_JSON_LENGTH = 1_048_576;

/** Keys, without case and separators, of texts that may contain secrets in any form: scripts, code, keys. */
const WITHHELD: ReadonlySet<string> = new Set(
  `userdata customdata startupscript startupscripturl shutdownscript windowsstartupscriptps1 sysprepspecializescriptps1
  commandtoexecute zipfile adminkey accountkey masterkey sharedkey primarykey secondarykey
  primarymasterkey secondarymasterkey primaryaccesskey secondaryaccesskey kubeconfig`.split(/\s+/),
);
/**
 * Keys of environment variables. Their names are shown and their values are not. `environment` is one of them if it is a
 * list; as an object it contains other settings, too.
 */
const VARIABLES: ReadonlySet<string> = new Set(
  `variables env envvariables environmentvariables runtimeenvironmentvariables buildenvironmentvariables
  buildenvvariables appsettings applicationsettings connectionstrings protectedsettings`.split(/\s+/),
);
/** Members whose whole value is a secret although no name says so. */
const BY_TYPE = new Map<string, readonly string[]>([
  ['AWS::ApiGateway::ApiKey', ['Value']],
  ['AWS::SSM::Parameter', ['Value']],
]);

/**
 * Removes secrets from what a cloud reports about a resource: values with the name or the format of a secret, boot
 * scripts, and the values of environment variables, also inside JSON texts. Call it before the value leaves its reader.
 *
 * @param provider_type withholds also the members that only this type keeps secret
 * @returns a copy of at most 128 KiB as JSON, in which `[redacted]` replaces secrets
 */
export function scrubProperties(properties: Record<string, unknown>, provider_type = ''): JsonObject {
  const withheld = withholdMembers(properties as JsonObject, 0);
  for (const name of BY_TYPE.get(provider_type) ?? []) if (Object.hasOwn(withheld, name)) withheld[name] = REDACTED;
  return capSize(scrubValue(withheld, REDACTED));
}

/** The same for tags or labels. */
export function scrubTags(tags: Readonly<Record<string, string>>): Record<string, string> {
  return scrubProperties(tags) as Record<string, string>;
}

function withholdMembers(object: JsonObject, depth: number): JsonObject {
  const named = findName(object);
  const entries = Object.entries(object).map(([key, value]): [string, JsonValue] => {
    const is_named = named !== undefined && /^value$/i.test(key);
    return [key, withhold(is_named ? named : simplify(key), value, depth)];
  });
  return Object.fromEntries(entries);
}

function withhold(key: string, value: JsonValue, depth: number): JsonValue {
  if (typeof value === 'string') return WITHHELD.has(key) ? REDACTED : withholdInText(value, depth);
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) return REDACTED;
  if (Array.isArray(value))
    return VARIABLES.has(key) || key === 'environment' ? value.map(withholdVariable) : withholdItems(key, value, depth);
  if (!VARIABLES.has(key)) return withholdMembers(value, depth + 1);
  return Object.fromEntries(Object.keys(value).map((name) => [name, REDACTED]));
}

function withholdItems(key: string, list: JsonValue[], depth: number): JsonValue[] {
  return list.map((item) => withhold(key, item, depth + 1));
}

/** An item such as `{"Name": …, "Value": …}` or `name=value`; references such as `valueFrom` are shown. */
function withholdVariable(entry: JsonValue): JsonValue {
  if (typeof entry === 'string') return entry.includes('=') ? `${entry.split('=', 1)[0]}=${REDACTED}` : REDACTED;
  if (!isObject(entry)) return REDACTED;
  const shown = Object.entries(entry).map(([key, value]) => [
    key,
    /^(?:value|connectionstring)$/i.test(key) ? REDACTED : value,
  ]);
  return Object.fromEntries(shown);
}

/** JSON inside a text, such as the container definitions of a task. */
function withholdInText(text: string, depth: number): string {
  const value = parseContainer(text);
  if (value === undefined) return text;
  const shown = JSON.stringify(withhold('', value, depth + 1));
  // A text without secrets keeps its layout.
  return shown === writeJson(value) ? text : shown;
}

function parseContainer(text: string): JsonValue | undefined {
  const first = text.trimStart()[0];
  if ((first !== '{' && first !== '[') || text.length > MAX_JSON_LENGTH) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** @returns undefined if the value is nested too deep to be written */
function writeJson(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The name in `{"key": "startup-script", "value": …}`, as in the metadata of instances. */
function findName(object: JsonObject): string | undefined {
  const name = object.key ?? object.Key ?? object.name ?? object.Name;
  return typeof name === 'string' ? simplify(name) : undefined;
}

function simplify(key: string): string {
  return key.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}
