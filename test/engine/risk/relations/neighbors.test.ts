import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalizeChange } from '../../../../engine/changes/normalize.ts';
import type { JsonObject } from '../../../../engine/model/result.ts';
import {
  createNeighbors,
  type Index,
  listNames,
  listNamesIn,
  refersTo,
} from '../../../../engine/risk/relations/neighbors.ts';
import { mergeReads } from '../../../../engine/risk/relations/reads.ts';

const TYPE = 'aws_sqs_queue';
const BY_NAME: Index = { types: [TYPE], names: listNames };

function seen(address: string, before: JsonObject | null, after: JsonObject | null) {
  const actions = before === null ? ['create'] : after === null ? ['delete'] : ['update'];
  return normalizeChange({
    address,
    mode: 'managed',
    type: TYPE,
    name: address,
    provider_name: 'registry.terraform.io/hashicorp/aws',
    change: { actions, before, after },
  } as never);
}
const collect = () => createNeighbors(mergeReads([[TYPE, ['delay_seconds']]]));

describe('resources that relations look up', () => {
  test('a resource is found by its name before and after the plan', () => {
    const plan = collect();
    plan.observe(seen('q', { name: 'old' }, { name: 'new' }));

    const addresses = (name: string) => plan.linked(BY_NAME, [name]).map(({ address }) => address);
    expect([addresses('old'), addresses('new'), addresses('other')]).toEqual([['q'], ['q'], []]);
  });

  test('only names and the arguments that relations read are kept', () => {
    const plan = collect();
    plan.observe(seen('q', null, { name: 'orders', delay_seconds: 5, policy: 'long text' }));

    expect(plan.linked(BY_NAME, ['orders'])).toEqual([
      { type: TYPE, address: 'q', before: null, after: { name: 'orders', delay_seconds: 5 } },
    ]);
  });

  test('an index reads each resource once, however often it is asked and while the plan grows', () => {
    let reads = 0;
    const counting: Index = {
      types: [TYPE],
      names: (side) => {
        reads += 1;
        return listNames(side);
      },
    };
    const plan = collect();
    for (let i = 0; i < 200; i++) {
      plan.observe(seen(`q${i}`, null, { name: `n${i}` }));
      plan.linked(counting, ['n0', `n${i}`]);
    }

    expect(reads).toBe(200);
    expect(plan.linked(counting, ['n0', 'n199']).map(({ address }) => address)).toEqual(['q0', 'q199']);
  });

  test('at most a hundred resources are returned, the first ones of the plan', () => {
    const plan = collect();
    for (let i = 0; i < 300; i++) plan.observe(seen(`q${i}`, null, { name: 'same', id: `id${i}` }));

    const found = plan.linked(BY_NAME, ['same', 'id250']);
    expect(found).toHaveLength(100);
    expect(found[0]?.address).toBe('q0');
  });

  test('what is computed once is computed again when the plan grows', () => {
    const plan = collect();
    const owner = {};
    let count = 0;
    const compute = () => plan.once(owner, () => ++count);

    expect([compute(), compute()]).toEqual([1, 1]);
    plan.observe(seen('q', null, { name: 'q' }));
    expect(compute()).toBe(2);
  });

  test('a value refers to a resource exactly if both share a name', () => {
    const name = fc.constantFrom('orders', 'x', 'eu', 'arn:aws:sqs:eu:1:orders', 'a/b', '');
    fc.assert(
      fc.property(name, name, fc.array(name, { maxLength: 2 }), (id, own, named) => {
        const side = { id, name: own };
        const shares = listNamesIn(named).some((one) => listNames(side).includes(one));
        expect(refersTo(named, side)).toBe(shares);
      }),
    );
  });
});
