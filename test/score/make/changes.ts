/** Builds entries of `resource_changes` from templates; scenarios contain only the differences. */
import { TEMPLATES } from './templates/index.ts';
import type { Entry, Template, Values } from './types.ts';

/** A value that is unknown until apply. */
export const UNKNOWN = '(known after apply)';

const PROVIDER_SOURCES: Record<string, string> = {
  aws: 'hashicorp/aws',
  google: 'hashicorp/google',
  azurerm: 'hashicorp/azurerm',
  kubernetes: 'hashicorp/kubernetes',
  helm: 'hashicorp/helm',
  github: 'integrations/github',
  cloudflare: 'cloudflare/cloudflare',
  datadog: 'datadog/datadog',
  null: 'hashicorp/null',
  random: 'hashicorp/random',
};

export interface ReplaceOptions {
  /** Omitted: the attributes that differ. */
  paths?: string[];
  create_first?: boolean;
  reason?: string;
}

export function create(address: string, values: Values = {}): Entry {
  const { template, head } = resolveResource(address);
  const planned = { ...template.values, ...values };
  for (const name of template.computed) if (!(name in values)) planned[name] = UNKNOWN;
  const { after, after_unknown } = splitUnknown(planned);
  return { ...head, change: buildChange(['create'], null, after, after_unknown, template) };
}

export function update(address: string, to: Values, from: Values = {}): Entry {
  const { template, head } = resolveResource(address);
  const before = { ...template.values, ...from };
  const { after, after_unknown } = splitUnknown({ ...before, ...to });
  return { ...head, change: buildChange(['update'], before, after, after_unknown, template) };
}

export function createNoOp(address: string, values: Values = {}): Entry {
  const entry = update(address, {}, values);
  return { ...entry, change: { ...entry.change, actions: ['no-op'] } };
}

export function destroy(address: string, values: Values = {}, reason = 'delete_because_no_resource_config'): Entry {
  const { template, head } = resolveResource(address);
  const change = buildChange(['delete'], { ...template.values, ...values }, null, {}, template);
  return { ...head, change, action_reason: reason };
}

export function replace(address: string, to: Values, from: Values = {}, options: ReplaceOptions = {}): Entry {
  const { template, head } = resolveResource(address);
  const before = { ...template.values, ...from };
  const planned: Values = { ...before };
  for (const name of template.computed) planned[name] = UNKNOWN;
  const { after, after_unknown } = splitUnknown({ ...planned, ...to });
  const actions = options.create_first ? ['create', 'delete'] : ['delete', 'create'];
  const replace_paths = (options.paths ?? Object.keys(to)).map((path) => [path]);
  const change = { ...buildChange(actions, before, after, after_unknown, template), replace_paths };
  return { ...head, change, action_reason: options.reason ?? 'replace_because_cannot_update' };
}

/** The object is kept in the cloud and only removed from the state. */
export function forget(address: string, values: Values = {}): Entry {
  const entry = destroy(address, values);
  return { ...entry, change: { ...entry.change, actions: ['forget'] } };
}

export function move(entry: Entry, previous_address: string): Entry {
  return { ...entry, previous_address };
}

export function markImported(entry: Entry, id: string): Entry {
  return { ...entry, change: { ...entry.change, importing: { id } } };
}

/** Marks more attributes as sensitive, like a variable with `sensitive = true`. */
export function markSensitive(entry: Entry, ...names: string[]): Entry {
  const marks = Object.fromEntries(names.map((name) => [name, true]));
  const add = (mask: unknown) => (typeof mask === 'object' ? { ...mask, ...marks } : mask) as Values;
  const { change } = entry;
  const before_sensitive = add(change.before_sensitive);
  return { ...entry, change: { ...change, before_sensitive, after_sensitive: add(change.after_sensitive) } };
}

function resolveResource(address: string): { template: Template; head: Omit<Entry, 'change'> } {
  const parsed = /^(?<module>(?:module\.[^.]+\.)*)(?<type>\w+)\.(?<name>[\w-]+)(?:\[(?<index>.+)\])?$/.exec(address);
  const { module = '', type = '', name = '', index } = parsed?.groups ?? {};
  const template = TEMPLATES[type];
  if (template === undefined) throw new Error(`no template for the type "${type}" of "${address}"; add one`);
  const provider = PROVIDER_SOURCES[type.slice(0, type.indexOf('_'))];
  const head: Omit<Entry, 'change'> = {
    address,
    ...(module === '' ? {} : { module_address: module.slice(0, -1) }),
    mode: 'managed',
    type,
    name,
    ...(index === undefined ? {} : { index: JSON.parse(index) as string | number }),
    provider_name: `registry.terraform.io/${provider}`,
  };
  return { template: { ...template, values: fillName(template.values, name) }, head };
}

function fillName(values: Values, name: string): Values {
  return JSON.parse(JSON.stringify(values).replaceAll('$', name)) as Values;
}

function splitUnknown(planned: Values): { after: Values; after_unknown: Values } {
  const after: Values = {};
  const after_unknown: Values = {};
  for (const [key, value] of Object.entries(planned)) {
    if (value === UNKNOWN) after_unknown[key] = true;
    else after[key] = value;
  }
  return { after, after_unknown };
}

function buildChange(
  actions: string[],
  before: Values | null,
  after: Values | null,
  after_unknown: Values,
  { sensitive = [] }: Template,
): Entry['change'] {
  const mask = Object.fromEntries(sensitive.map((name) => [name, true]));
  const before_sensitive = before === null ? false : mask;
  return { actions, before, after, after_unknown, before_sensitive, after_sensitive: after === null ? false : mask };
}
