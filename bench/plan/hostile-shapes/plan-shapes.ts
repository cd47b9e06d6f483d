import type { JsonValue } from '../../../engine/model/result.ts';
import { buildChangeEntry, buildChangePlan, buildMany, buildPlan, type Shape, type Sides } from './plans.ts';

const TYPE = 'aws_instance';
/** A plan may have 200 levels; the plan itself uses some of them around the attribute. */
const DEPTH = 180;
const MANY_CHANGES = 20_000;

/**
 * Shapes that do not depend on a rule: number of values, depth, sensitivity masks, long texts, and top-level members.
 */
export function buildPlanShapes(): Shape[] {
  return [...buildLeafShapes(), ...buildMemberShapes(), ...buildGeneralTypeShapes()];
}

function createUpdateShape(name: string, sides: (count: number) => Sides, type = TYPE): Shape {
  return { name, build: (count) => buildChangePlan(type, 'update', sides(count)) };
}

function buildLeafShapes(): Shape[] {
  const deep = (inner: JsonValue) => ({ a: nest(DEPTH, inner) });
  const list = (count: number, text: string) => ({ a: buildMany(count, (i) => `${text}${i}`) });
  const marks = (count: number) => ({ a: buildMany(count, () => true) });
  return [
    createUpdateShape('numbers that change', (n) => ({
      before: { a: buildMany(n, () => 1) },
      after: { a: buildMany(n, () => 2) },
    })),
    createUpdateShape('texts that change', (n) => ({ before: list(n, 'a'), after: list(n, 'b') })),
    createUpdateShape('members that change', (n) => ({ before: { a: keys(n, 1) }, after: { a: keys(n, 2) } })),
    createUpdateShape('texts named like secrets', (n) => ({
      before: { secrets: buildMany(n, (i) => `a${i}`) },
      after: { secrets: buildMany(n, (i) => `b${i}`) },
    })),
    createUpdateShape('leaves far down', (n) => ({
      before: deep(buildMany(n, () => 1)),
      after: deep(buildMany(n, () => 2)),
    })),
    createUpdateShape('members far down', (n) => ({ before: deep(keys(n, 1)), after: deep(keys(n, 2)) })),
    createUpdateShape('chains beside each other', (n) => ({
      before: { a: buildMany(n, () => nest(DEPTH, 1)) },
      after: { a: buildMany(n, () => nest(DEPTH, 2)) },
    })),
    createUpdateShape('lists within lists, the last item differs', (n) => ({
      before: { a: nestLists(DEPTH, [...buildMany(n, () => 1), 1]) },
      after: { a: nestLists(DEPTH, [...buildMany(n, () => 1), 2]) },
    })),
    createUpdateShape('lists that are nearly reordered on every level', (n) => ({
      before: { a: pairs([...buildMany(n, () => 1), 1], false) },
      after: { a: pairs([...buildMany(n, () => 1), 2], true) },
    })),
    createUpdateShape('marks far down of which one counts', (n) => ({
      before: { a: nestLists(DEPTH, 1) },
      after: { a: nestLists(DEPTH, 2) },
      more: { after_unknown: { a: nestLists(DEPTH - 1, [...buildMany(n, () => false), true]) } },
    })),
    createUpdateShape('a reordered list of deep items', (n) => ({
      before: {
        a: [
          nest(
            DEPTH - 10,
            buildMany(n, (i) => `s${i}`),
          ),
          5,
        ],
      },
      after: {
        a: [
          5,
          nest(
            DEPTH - 10,
            buildMany(n, (i) => `s${i}`),
          ),
        ],
      },
    })),
    createUpdateShape('members under a long key', (n) => ({
      before: {},
      after: { tags: { ['k'.repeat(n)]: keys(200, 1) } },
    })),
    createUpdateShape('values that are all sensitive', (n) => ({
      before: list(n, 'secret'),
      after: list(n, 'secreu'),
      more: { before_sensitive: marks(n), after_sensitive: marks(n) },
    })),
    createUpdateShape('values that are all unknown', (n) => ({
      before: list(n, 's'),
      after: { a: [] },
      more: { after_unknown: marks(n) },
    })),
    {
      name: 'replacement paths',
      build: (n) =>
        buildChangePlan(TYPE, 'replace', {
          before: { a: 1 },
          after: { a: 2 },
          more: { replace_paths: buildMany(n, (i) => [`q${i}`]) },
        }),
    },
  ];
}

function buildMemberShapes(): Shape[] {
  const plain = (i: number, before: JsonValue, after: JsonValue) =>
    buildChangeEntry(TYPE, i, 'update', { before: { a: before }, after: { a: after } });
  const output = (before: JsonValue, after: JsonValue) => ({ actions: ['update'], before, after });
  return [
    {
      name: 'drift next to changes',
      build: (n) =>
        buildPlan({
          resource_changes: buildMany(Math.min(n, MANY_CHANGES), (i) => plain(i, 1, 2)),
          resource_drift: buildMany(n, (i) => plain(i, 2, 1)),
        }),
    },
    {
      name: 'drift of deep leaves',
      build: (n) =>
        buildPlan({
          resource_changes: [
            plain(
              0,
              nest(
                DEPTH,
                buildMany(n, () => 1),
              ),
              nest(
                DEPTH,
                buildMany(n, () => 2),
              ),
            ),
          ],
          resource_drift: [
            plain(
              0,
              nest(
                DEPTH,
                buildMany(n, () => 2),
              ),
              nest(
                DEPTH,
                buildMany(n, () => 1),
              ),
            ),
          ],
        }),
    },
    {
      name: 'attributes that expressions read',
      build: (n) =>
        buildPlan({
          resource_changes: buildMany(500, (i) => plain(i, 1, 2)),
          resource_drift: buildMany(500, (i) => plain(i, 2, 1)),
          relevant_attributes: buildMany(n, (i) => ({ resource: '', attribute: ['b', i] })),
        }),
    },
    {
      name: 'changes with 200 deep leaves',
      build: (n) =>
        buildPlan({
          resource_changes: buildMany(n, (i) =>
            plain(
              i,
              null,
              nest(
                DEPTH,
                buildMany(200, () => 2),
              ),
            ),
          ),
        }),
    },
    {
      name: 'outputs',
      build: (n) =>
        buildPlan({ output_changes: Object.fromEntries(buildMany(n, (i) => [`o${i}`, output(`a${i}`, `b${i}`)])) }),
    },
    {
      name: 'outputs with deep values',
      build: (n) =>
        buildPlan({
          output_changes: Object.fromEntries(
            buildMany(200, (i) => [
              `o${i}`,
              output(
                null,
                nest(
                  DEPTH,
                  buildMany(Math.ceil(n / 200), () => 'y'),
                ),
              ),
            ]),
          ),
        }),
    },
    {
      name: 'checks',
      build: (n) => buildPlan({ resource_changes: [], checks: buildMany(n, () => ({ status: 'pass' })) }),
    },
    {
      name: 'a different type for each change',
      build: (n) =>
        buildPlan({
          resource_changes: buildMany(Math.min(n, MANY_CHANGES), (i) =>
            buildChangeEntry(`aws_t${i}`, i, 'update', { before: { a: 1 }, after: { a: 2 } }),
          ),
        }),
    },
  ];
}

/** Resource types that rules recognize by their values alone. */
function buildGeneralTypeShapes(): Shape[] {
  const containers = (count: number, privileged: boolean) =>
    buildMany(count, (i) => ({ name: `c${i}`, securityContext: { privileged } }));
  const pod = (count: number, privileged: boolean) => ({
    manifest: { kind: 'Pod', spec: { containers: containers(count, privileged) } },
  });
  const role = (rule: JsonValue, count: number) => ({
    manifest: { kind: 'ClusterRole', rules: buildMany(count, () => rule) },
  });
  const policy = (service: string, count: number) => ({
    Statement: buildMany(count, (i) => ({ Effect: 'Allow', Action: `${service}:Put${i}`, Resource: '*' })),
  });
  return [
    createUpdateShape(
      'containers of a manifest',
      (n) => ({ before: pod(n, false), after: pod(n, true) }),
      'kubernetes_manifest',
    ),
    createUpdateShape(
      'rules of a manifest',
      (n) => ({
        before: role({ verbs: ['get'], resources: ['pods'] }, n),
        after: role({ verbs: ['*'], resources: ['*'] }, n),
      }),
      'kubernetes_manifest',
    ),
    createUpdateShape(
      'statements of a policy',
      (n) => ({ before: { policy: policy('s3', n) }, after: { policy: policy('ec2', n) } }),
      'aws_iam_policy',
    ),
    {
      name: 'policies with many statements',
      build: (n) =>
        buildPlan({
          resource_changes: buildMany(n, (i) =>
            buildChangeEntry('aws_iam_policy', i, 'update', {
              before: { policy: JSON.stringify(policy('s3', 300)) },
              after: { policy: JSON.stringify(policy('ec2', 300)) },
            }),
          ),
        }),
    },
    createUpdateShape(
      'sources times ports of a rule',
      (n) => ({
        before: { access: 'Deny', direction: 'Inbound' },
        after: {
          access: 'Allow',
          direction: 'Inbound',
          protocol: 'Tcp',
          source_address_prefixes: buildMany(n, (i) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}/32`),
          destination_port_ranges: buildMany(n, (i) => `${(2 * i) % 65_535}`),
        },
      }),
      'azurerm_network_security_rule',
    ),
  ];
}

function keys(count: number, value: JsonValue): { [key: string]: JsonValue } {
  return Object.fromEntries(buildMany(count, (i) => [`k${i}`, value]));
}

/** A value nested in alternating objects and lists. */
function nest(depth: number, inner: JsonValue): JsonValue {
  let value = inner;
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? { k: value } : [value];
  return value;
}

function nestLists(depth: number, inner: JsonValue): JsonValue {
  let value = inner;
  for (let i = 0; i < depth; i += 1) value = [value];
  return value;
}

/** At each level, the same two items in a different order, and a third that differs at the innermost level. */
function pairs(inner: JsonValue, swapped: boolean): JsonValue {
  let value = inner;
  for (let i = 0; i < DEPTH; i += 1) value = swapped ? [`z${i}`, i, value] : [i, `z${i}`, value];
  return value;
}
