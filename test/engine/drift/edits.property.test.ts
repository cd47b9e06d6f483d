import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDrift, type DriftAccount, type LiveResource } from '../../../engine/drift/index.ts';
import { AWS, AZURE, GCP, live, NOW, toInstance, toValues } from './compute.ts';
import { AWS_PAIRS } from './pairs/aws.ts';
import { AZURE_PAIRS } from './pairs/azure.ts';
import { GCP_PAIRS } from './pairs/gcp.ts';
import type { Pair } from './pairs/pair.ts';
import { writeAt } from './synthetic.ts';

/** One resource for each object of the cloud, so that an edit of the object is an edit of one resource. */
function pickObjects(pairs: readonly Pair[]): Pair[] {
  const seen = new Set<string>();
  return pairs.filter(({ cloud_type, id }) => {
    const key = `${cloud_type} ${id}`;
    const is_new = !seen.has(key);
    seen.add(key);
    return is_new;
  });
}

interface Cloud {
  account: DriftAccount;
  pairs: Pair[];
  /** An undeclared object of a type that Terraform manages. */
  make(name: string): LiveResource;
}

const CLOUDS: readonly Cloud[] = [
  {
    account: { ...AWS, parts: AWS_PAIRS.map(({ cloud_type }) => ({ region: null, provider_type: cloud_type })) },
    pairs: pickObjects(AWS_PAIRS),
    make: (name) =>
      live('AWS::DynamoDB::Table', `new-${name}`, { region: 'eu-west-1', properties: { TableName: name } }),
  },
  {
    account: GCP,
    pairs: pickObjects(GCP_PAIRS),
    make: (name) =>
      live('pubsub.googleapis.com/Topic', `//pubsub.googleapis.com/projects/acme-prod/topics/new-${name}`),
  },
  {
    account: AZURE,
    pairs: pickObjects(AZURE_PAIRS),
    make: (name) =>
      live(
        'microsoft.sql/servers',
        `/subscriptions/${AZURE.external_account_id}/resourcegroups/rg/providers/microsoft.sql/servers/new-${name}`,
      ),
  },
];

type Edit =
  | { kind: 'delete'; at: number }
  | { kind: 'change'; at: number; which: number }
  | { kind: 'revert'; at: number }
  | { kind: 'create'; name: string }
  | { kind: 'type_without_rule'; name: string };

const at = fc.nat(200);
const name = fc.stringMatching(/^[a-z]{3,8}$/);
const EDIT: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('delete' as const), at }),
  fc.record({ kind: fc.constant('change' as const), at, which: fc.nat(5) }),
  fc.record({ kind: fc.constant('revert' as const), at }),
  fc.record({ kind: fc.constant('create' as const), name }),
  fc.record({ kind: fc.constant('type_without_rule' as const), name }),
);

function toLive({ cloud_type, id, held }: Pair): LiveResource {
  const { arn } = held;
  const is_aws = cloud_type.startsWith('AWS::');
  return live(cloud_type, id, {
    region: is_aws ? 'eu-west-1' : null,
    aliases: is_aws && typeof arn === 'string' ? [arn] : [],
  });
}

/** The cloud after edits, and what differs from the states. */
function applyEdits({ pairs, make }: Cloud, edits: readonly Edit[]) {
  const objects = new Map(pairs.map((pair, i) => [i, structuredClone(pair.properties)]));
  const outcomes = new Map<string, string>();
  const created = new Map<string, LiveResource>();
  for (const edit of edits) {
    if (edit.kind === 'create') {
      const resource = make(edit.name);
      created.set(resource.provider_resource_id, resource);
      outcomes.set(`new ${resource.provider_resource_id}`, 'new');
      continue;
    }
    if (edit.kind === 'type_without_rule') {
      created.set(edit.name, live('made.up/type', `made-up-${edit.name}`));
      continue;
    }
    const i = edit.at % pairs.length;
    const pair = pairs[i] as Pair;
    // Parts of objects cannot be deleted alone.
    const address = `${pair.type}.r${i}`;
    if (edit.kind === 'delete') {
      objects.delete(i);
      outcomes.set(address, 'missing');
      continue;
    }
    objects.set(i, structuredClone(pair.properties));
    outcomes.delete(address);
    if (edit.kind === 'revert') continue;
    const [path, value] = pair.changes[edit.which % pair.changes.length]!;
    writeAt(objects.get(i)!, path, structuredClone(value));
    outcomes.set(address, 'changed');
  }
  const resources = [...objects].map(([i, properties]) => ({ ...toLive(pairs[i] as Pair), properties }));
  return { resources: [...resources, ...created.values()], outcomes };
}

test.each(CLOUDS.map((cloud) => [cloud.account.provider, cloud] as const))(
  'any sequence of edits in %s is named exactly, in any order of the pages',
  (_, cloud) => {
    fc.assert(
      fc.property(fc.array(EDIT, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (edits, random) => {
        const { resources, outcomes } = applyEdits(cloud, edits);
        const order = resources.map((resource) => [random.next().value as number, resource] as const);
        const computation = createDrift({ account: cloud.account, now: NOW });
        cloud.pairs.forEach(({ type, held }, i) => {
          const one = { type, name: `r${i}`, attributes: held };
          computation.addInstance(toInstance(one), toValues(one));
        });
        for (const [, resource] of order.sort(([a], [b]) => a - b)) computation.addLive(resource);

        const { items, matched_count, changed_count, not_checked_count } = computation.end();

        const found = items.map(({ drift_type, resource_address, provider_resource_id }) => [
          resource_address ?? `new ${provider_resource_id}`,
          drift_type,
        ]);
        expect(new Map(found as [string, string][])).toEqual(outcomes);
        const missing = [...outcomes.values()].filter((outcome) => outcome === 'missing').length;
        expect(matched_count + changed_count + missing).toBe(cloud.pairs.length);
        expect(not_checked_count).toBe(0);
      }),
      { numRuns: 40 },
    );
  },
);
