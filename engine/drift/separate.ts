/** Arguments of a resource that other resources of the states manage, such as the rules of a security group. */
import type { JsonObject, JsonValue } from '../model/result.ts';

interface Values {
  attributes: JsonObject;
  identifiers: Readonly<Record<string, string>>;
}

interface SeparateType {
  /** The argument of the parent. */
  attribute(attributes: JsonObject): string;
  /** What the parent is called: see `PARENT_IDS`. */
  parents(values: Values): string[];
  /** An item of the argument. */
  item(attributes: JsonObject): JsonValue;
}

const text = (value: JsonValue | undefined): string[] => (typeof value === 'string' && value !== '' ? [value] : []);
const parentOfArm = ({ identifiers }: Values): string[] =>
  text(identifiers['id']?.split('/').slice(0, -2).join('/').toLowerCase());
const whole = (attributes: JsonObject): JsonValue => attributes;

const TYPES: Readonly<Record<string, SeparateType>> = {
  aws_security_group_rule: {
    attribute: ({ type }) => String(type),
    parents: ({ attributes }) => text(attributes['security_group_id']),
    item: (attributes) => ({ ...attributes, single: false }),
  },
  aws_vpc_security_group_ingress_rule: {
    attribute: () => 'ingress',
    parents: ({ attributes }) => text(attributes['security_group_id']),
    item: (attributes) => ({ ...attributes, single: true }),
  },
  aws_vpc_security_group_egress_rule: {
    attribute: () => 'egress',
    parents: ({ attributes }) => text(attributes['security_group_id']),
    item: (attributes) => ({ ...attributes, single: true }),
  },
  aws_iam_role_policy_attachment: {
    attribute: () => 'managed_policy_arns',
    parents: ({ attributes }) => text(attributes['role']),
    item: ({ policy_arn = null }) => policy_arn,
  },
  aws_iam_policy_attachment: {
    attribute: () => 'managed_policy_arns',
    parents: ({ attributes: { roles } }) => (Array.isArray(roles) ? roles.flatMap(text) : []),
    item: ({ policy_arn = null }) => policy_arn,
  },
  aws_iam_role_policy: {
    attribute: () => 'inline_policy',
    parents: ({ attributes }) => text(attributes['role']),
    item: ({ name = null, policy = null }) => ({ name, policy }),
  },
  aws_autoscaling_attachment: {
    attribute: () => 'target_group_arns',
    parents: ({ attributes }) => text(attributes['autoscaling_group_name']),
    item: ({ lb_target_group_arn = null }) => lb_target_group_arn,
  },
  azurerm_network_security_rule: { attribute: () => 'security_rule', parents: parentOfArm, item: whole },
  azurerm_route: { attribute: () => 'route', parents: parentOfArm, item: whole },
};

/** The types whose arguments may be managed by others, and what those call them. */
const PARENT_IDS: Readonly<Record<string, (values: Values) => string | undefined>> = {
  aws_security_group: ({ identifiers }) => identifiers['id'],
  aws_default_security_group: ({ identifiers }) => identifiers['id'],
  aws_iam_role: ({ identifiers, attributes }) => identifiers['name'] ?? text(attributes['name'])[0],
  aws_autoscaling_group: ({ identifiers }) => identifiers['name'],
  azurerm_network_security_group: ({ identifiers }) => identifiers['id']?.toLowerCase(),
  azurerm_route_table: ({ identifiers }) => identifiers['id']?.toLowerCase(),
};

export interface Separates {
  add(type: string, values: Values): void;
  /** The items that other resources add to an argument; undefined if none does. */
  find(type: string, attribute: string, values: Values): readonly JsonValue[] | undefined;
}

export function createSeparates(): Separates {
  const items = new Map<string, JsonValue[]>();

  function add(type: string, values: Values): void {
    const found = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    if (found === undefined) return;
    for (const parent of found.parents(values)) {
      const key = `${found.attribute(values.attributes)} ${parent}`;
      const known = items.get(key);
      const item = found.item(values.attributes);
      if (known === undefined) items.set(key, [item]);
      else known.push(item);
    }
  }

  function find(type: string, attribute: string, values: Values): readonly JsonValue[] | undefined {
    const name = Object.hasOwn(PARENT_IDS, type) ? PARENT_IDS[type]?.(values) : undefined;
    return name === undefined ? undefined : items.get(`${attribute} ${name}`);
  }

  return { add, find };
}
