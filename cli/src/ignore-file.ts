import { readFile } from 'node:fs/promises';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import type { IgnoreRule } from '../../engine/drift/index.ts';
import { Failure } from './failure.ts';

export interface IgnoreFile {
  rules: IgnoreRule[];
  /** Why each rule accepts drift, by the ID of the rule. */
  reasons: ReadonlyMap<string, string>;
  /** Rules that have ended, as sentences. */
  warnings: string[];
}

export const NO_IGNORE_RULES: IgnoreFile = { rules: [], reasons: new Map(), warnings: [] };

const CONDITIONS = ['resource_type', 'address', 'provider_resource_id', 'attribute', 'tag_key'] as const;
const text = z.string().min(1).max(500);

/** openapi.yaml, DriftIgnoreRuleCreate */
const RULE = z
  .strictObject({
    drift_types: z
      .array(z.enum(['new', 'changed', 'missing']))
      .min(1)
      .optional(),
    resource_type: text.optional(),
    address: text.optional(),
    provider_resource_id: text.optional(),
    attribute: text.optional(),
    tag_key: text.optional(),
    tag_value: text.optional(),
    reason: z.string().min(1).max(1000),
    expires_at: z.iso.datetime({ offset: true }).nullish(),
  })
  .refine((rule) => CONDITIONS.some((name) => rule[name] !== undefined), {
    message: `needs one of ${CONDITIONS.join(', ')}`,
  })
  .refine(({ tag_key, tag_value }) => tag_value === undefined || tag_key !== undefined, {
    message: 'tag_value needs a tag_key',
  });

const FILE = z.strictObject({ ignore_rules: z.array(RULE).max(1000) });

type FileRule = z.infer<typeof RULE>;

/**
 * Reads drift ignore rules from a YAML or JSON file, in the format of the API.
 *
 * @param now RFC 3339; rules that ended before do not count
 * @throws Failure that lists every error with its position
 */
export async function readIgnoreFile(path: string, now: string): Promise<IgnoreFile> {
  const parsed = FILE.safeParse(await readYaml(path));
  if (!parsed.success) throw new Failure(`${path}:\n${parsed.error.issues.map(formatIssue).join('\n')}`);
  const numbered = parsed.data.ignore_rules.map((rule, at) => ({ rule, id: `rule ${at + 1}` }));
  const hasEnded = ({ rule: { expires_at } }: { rule: FileRule }) =>
    typeof expires_at === 'string' && Date.parse(expires_at) <= Date.parse(now);
  const current = numbered.filter((one) => !hasEnded(one));
  return {
    rules: current.map(({ rule, id }) => toRule(id, rule)),
    reasons: new Map(current.map(({ rule, id }) => [id, rule.reason])),
    warnings: numbered
      .filter(hasEnded)
      .map(({ rule, id }) => `${path}: ${id} ended at ${rule.expires_at} and does not count: ${rule.reason}`),
  };
}

function toRule(id: string, rule: FileRule): IgnoreRule {
  const { drift_types = [], resource_type = null, address = null, provider_resource_id = null } = rule;
  const { attribute = null, tag_key = null, tag_value = null } = rule;
  return { id, drift_types, resource_type, address, provider_resource_id, attribute, tag_key, tag_value };
}

async function readYaml(path: string): Promise<unknown> {
  try {
    return parseYaml(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Failure(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function formatIssue({ path, message }: z.core.$ZodIssue): string {
  return `  /${path.map(String).join('/')}: ${message}`;
}
