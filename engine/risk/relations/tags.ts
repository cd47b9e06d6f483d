/** Tags and labels that something in the plan selects by: conditions of policies, selections of backups, firewalls. */
import type { ResourceChange } from '../../changes/types.ts';
import { isObject } from '../../lib/is-object.ts';
import type { JsonValue } from '../../model/result.ts';
import { list, text } from '../attributes/values.ts';

/** What happens to resources that are selected. */
export type Selection = 'access' | 'backup' | 'traffic' | 'stop' | 'mute';

export interface TagSelectors {
  /** What selects by a tag with this key; undefined if nothing does, or only by other values. */
  find(key: string, values: readonly string[]): Selection | undefined;
}

export interface TagSelectorsCollector extends TagSelectors {
  observe(change: ResourceChange): void;
}

const CONDITION_KEY = /(?:resource|principal|request)Tag\/([\w .:+=@-]{1,128})$/i;
const BACKUPS =
  /_backup_selection|_dlm_lifecycle_policy|_data_protection_backup|_backup_plan|_backup_vault|_snapshot_policy|_resource_policy/;
const FIREWALLS =
  /^(?:google_compute_(?:firewall|route|network_firewall_policy|region_network_firewall_policy|firewall_policy)|digitalocean_firewall|hcloud_firewall)/;
/** Windows and schedules that stop, patch or break what they select. */
const STOPS =
  /^(?:aws_ssm_maintenance_window_target|aws_ssm_association|aws_fis_experiment_template|azurerm_maintenance_assignment_dynamic_scope|azurerm_chaos_studio_target|google_os_config_patch_deployment|aws_resourcegroups_group|spotinst_\w{1,60}schedul\w{0,40})$/;
/** Downtimes and muting rules. */
const MUTES =
  /^(?:datadog_downtime|datadog_downtime_schedule|newrelic_alert_muting_rule|opsgenie_maintenance|pagerduty_maintenance_window|signalfx_alert_muting_rule|grafana_mute_timing)$/;
const MUTED_BY = ['monitor_tags', 'scope', 'tags'];
/** Blocks whose `key` and `value` name a tag. */
const KEYS = ['key', 'tag_key', 'name'];
const VALUES = ['value', 'tag_value', 'values'];
const SELECTS = /tag|selection|condition|string_equals|target/;
const TARGETS = ['target_tags', 'source_tags', 'tags', 'label_selectors', 'source_labels'];
const MAX_DEPTH = 12;
const MAX_KEYS = 2_000;
const DOCUMENT_CHARS = 200_000;

export function createTagSelectors(): TagSelectorsCollector {
  const selections = new Map<string, { selection: Selection; values: Set<string> }>();

  function observe({ type, mode, before, after }: ResourceChange): void {
    const side = after ?? before;
    if (mode !== 'managed' || side === null) return;
    if (BACKUPS.test(type)) visitBlocks(side, 'backup', '');
    else if (STOPS.test(type)) visitBlocks(side, 'stop', '');
    else if (MUTES.test(type)) visitMutes(side);
    else if (FIREWALLS.test(type))
      for (const name of TARGETS) for (const tag of list(side[name])) add(text(tag), 'traffic', []);
    else if (/policy|role|permission/.test(type)) visitTexts(side);
  }

  function add(key: string, selection: Selection, values: readonly string[]): void {
    if (key === '' || selections.size >= MAX_KEYS) return;
    const known = selections.get(key) ?? { selection, values: new Set() };
    for (const value of values) known.values.add(value);
    selections.set(key, known);
  }

  function visitMutes(side: { [name: string]: JsonValue }): void {
    const blocks = [side, ...list(side['monitor_identifier']), ...list(side['filter'])].filter(isObject);
    for (const block of blocks)
      for (const name of MUTED_BY)
        for (const tag of list(block[name])) if (text(tag) !== '*') add(text(tag), 'mute', []);
  }

  function visitBlocks(value: JsonValue, selection: Selection, name: string, depth = 0): void {
    if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) visitBlocks(item, selection, name, depth + 1);
      return;
    }
    if (SELECTS.test(name)) addBlock(value, selection);
    for (const key of Object.keys(value)) visitBlocks(value[key]!, selection, key, depth + 1);
    const targets = value['target_tags'];
    if (isObject(targets)) for (const key of Object.keys(targets)) add(key, selection, [text(targets[key])]);
  }

  function addBlock(block: { [name: string]: JsonValue }, selection: Selection): void {
    const key = KEYS.map((name) => text(block[name])).find((found) => found !== '') ?? '';
    const values = VALUES.flatMap((name) => list(block[name])).map(text);
    add(CONDITION_KEY.exec(key)?.[1] ?? key.replace(/^tag:/, ''), selection, values);
  }

  function visitTexts(side: { [name: string]: JsonValue }): void {
    for (const value of Object.values(side)) {
      if (typeof value !== 'string' || !value.includes('Tag/') || value.length > DOCUMENT_CHARS) continue;
      try {
        visitConditions(JSON.parse(value) as JsonValue, 0);
      } catch {
        // Not a policy: it selects nothing that can be read.
      }
    }
  }

  function visitConditions(value: JsonValue, depth: number): void {
    if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const tag = CONDITION_KEY.exec(key)?.[1];
      if (tag !== undefined) add(tag, 'access', list(inner).map(text));
      else visitConditions(inner, depth + 1);
    }
  }

  function find(key: string, values: readonly string[]): Selection | undefined {
    const known = selections.get(key);
    if (known === undefined) return undefined;
    const patterns = [...known.values].filter((value) => value !== '');
    const is_selected = patterns.length === 0 || values.some((value) => patterns.some((known) => isLike(known, value)));
    return is_selected ? known.selection : undefined;
  }

  return { observe, find };
}

/** A pattern with wildcards or a variable can be any value. */
function isLike(pattern: string, value: string): boolean {
  return pattern === value || pattern.includes('*') || pattern.includes('${');
}

/** Knows no selector. */
export const NO_SELECTORS: TagSelectors = { find: () => undefined };
