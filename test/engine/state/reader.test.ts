import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { catchRefusal, collect, PLANTED, readFixture, resourceWith, stateWith } from './collect.ts';

const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 });

describe('a state that Terraform wrote', () => {
  const file = collect(readFixture('terraform-1.11.tfstate'));
  const shown = collect(readFixture('terraform-1.11-show'));

  test('has its header and counts', () => {
    expect(file.summary).toEqual({
      format: 'state',
      format_version: '4',
      terraform_version: '1.11.4',
      serial: expect.any(Number),
      lineage: expect.stringMatching(/^[0-9a-f-]{36}$/),
      instance_count: 11,
      managed_count: 10,
      data_count: 1,
      deposed_count: 0,
      tainted_count: 0,
      module_count: 1,
      output_count: 2,
      sensitive_count: 4,
      by_provider: [{ name: 'builtin/terraform', managed: 10, data: 1 }],
      by_type: [
        { name: 'terraform_data', managed: 10, data: 0 },
        { name: 'terraform_remote_state', managed: 0, data: 1 },
      ],
      parse_failure_count: 0,
      parse_failures: [],
    });
  });

  test('has the same instances in both formats', () => {
    const identify = ({ instances }: typeof file) =>
      instances.map(({ address, module_address, mode, type, name, index, provider_name, identifiers }) => ({
        ...{ address, module_address, mode, type, name, index, provider_name, identifiers },
      }));

    expect(identify(shown)).toEqual(identify(file));
    expect(shown.summary).toEqual({
      ...file.summary,
      format: 'show',
      format_version: '1.0',
      serial: null,
      lineage: null,
    });
  });

  test('keeps unmarked values next to sensitive ones', () => {
    const [instance] = shown.instances.filter(({ address }) => address === 'terraform_data.secret');

    expect(instance?.attributes).toMatchObject({
      input: { list: ['x', '(sensitive)'], open: 'ok', token: '(sensitive)' },
      triggers_replace: '(sensitive)',
    });
    const [recorded] = file.instances.filter(({ address }) => address === 'terraform_data.secret');
    expect(recorded?.attributes).toMatchObject({
      input: { value: { list: ['x', '(sensitive)'], open: 'ok', token: '(sensitive)' } },
    });
  });

  test('contains no secret after the last step, also not as a copy in another resource', () => {
    expect(JSON.stringify([file, shown])).not.toContain(PLANTED);
    expect(JSON.stringify(shown.instances)).toContain('copy of (sensitive)');
  });

  test.each(['terraform-1.11.tfstate', 'terraform-1.11-show'] as const)('%s reads the same in any chunks', (name) => {
    const bytes = readFixture(name);
    const whole = collect(bytes);

    fc.assert(
      fc.property(sizes, (cut) => {
        expect(collect(bytes, cut)).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });
});

describe('an instance of a state file', () => {
  test('has all members in the names of a plan', () => {
    const state = stateWith({
      module: 'module.db["a.b"].module.inner',
      ...resourceWith({
        index_key: 'x',
        status: 'tainted',
        deposed: '0a1b2c3d',
        schema_version: 2,
        attributes: { id: 'i-1', arn: 'arn:aws:secretsmanager:eu-west-1:1:secret:db-pass-AbCdEf', size: 3 },
        sensitive_attributes: [],
        identity: { account_id: '1', id: 'i-1' },
        private: 'bnVsbA==',
        dependencies: ['aws_vpc.main'],
      }),
    });

    const { instances, summary } = collect(state);

    expect(instances).toEqual([
      {
        address: 'module.db["a.b"].module.inner.aws_x.a["x"]',
        module_address: 'module.db["a.b"].module.inner',
        mode: 'managed',
        type: 'aws_x',
        name: 'a',
        index: 'x',
        deposed: '0a1b2c3d',
        tainted: true,
        provider: 'aws',
        provider_name: 'hashicorp/aws',
        schema_version: 2,
        dependencies: ['aws_vpc.main'],
        sensitive_count: 0,
        identifiers: { id: 'i-1', arn: 'arn:aws:secretsmanager:eu-west-1:1:secret:db-pass-AbCdEf' },
        attributes: expect.objectContaining({ id: 'i-1', size: 3 }),
        identity: { account_id: '1', id: 'i-1' },
      },
    ]);
    expect(summary).toMatchObject({
      instance_count: 1,
      managed_count: 0,
      deposed_count: 1,
      tainted_count: 1,
      by_type: [],
    });
  });

  test('of Terraform before 0.12 has nested attributes and its provider', () => {
    const attributes_flat = { id: 'i-1', 'tags.%': '2', 'tags.Name': 'a', 'tags.kubernetes.io/x': 'b', 'rule.#': '1' };
    const state = stateWith({
      ...resourceWith({ attributes_flat: { ...attributes_flat, 'rule.12.port': '22' }, depends_on: ['aws_y.b'] }),
      provider: 'module.a.provider.aws.west',
    });

    const { instances } = collect(state);

    expect(instances).toMatchObject([
      {
        provider_name: 'aws',
        attributes: { id: 'i-1', tags: { Name: 'a', 'kubernetes.io/x': 'b' }, rule: [{ port: '22' }] },
        dependencies: ['aws_y.b'],
        schema_version: null,
      },
    ]);
  });

  test('is the same when a tool has sorted all members by name', () => {
    const state = JSON.parse(readFixture('terraform-1.11.tfstate').toString());
    const sort = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(sort);
      return Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sort(inner)]),
      );
    };

    const { instances, summary } = collect(JSON.stringify(sort(state)), [7]);

    const expected = collect(readFixture('terraform-1.11.tfstate'));
    expect(summary).toEqual(expected.summary);
    expect(instances).toEqual(expected.instances);
  });

  test('keeps keys such as __proto__ as ordinary keys', () => {
    const state = stateWith(resourceWith({ attributes: 0 })).replace(
      '"attributes":0',
      '"attributes":{"__proto__":{"password":"S3cret-value-9"},"constructor":"c","id":"1"},"__proto__":{"deposed":"x"}',
    );

    const [instance] = collect(state).instances;

    expect(Object.keys(instance?.attributes ?? {})).toEqual(['__proto__', 'constructor', 'id']);
    expect(JSON.stringify(instance?.attributes)).toBe(
      '{"__proto__":{"password":"(sensitive)"},"constructor":"c","id":"1"}',
    );
    expect(instance?.deposed).toBeNull();
    expect(({} as Record<string, unknown>)['password']).toBeUndefined();
  });
});

describe('what cannot be read', () => {
  const good = { attributes: { id: 'ok' } };

  test.each([
    ['is not an object', 7, 'aws_x.a (instance 1)', 'it is not an object'],
    ['has no attributes', { index_key: 'k' }, 'aws_x.a["k"]', 'it has no attributes'],
    ['has a list of attributes', { index_key: 2, attributes: [] }, 'aws_x.a[2]', 'attributes is not an object'],
    ['has a text as attributes', { attributes: 'x' }, 'aws_x.a (instance 1)', 'attributes is not an object'],
    [
      'has an object as index key',
      { ...good, index_key: {} },
      'aws_x.a (instance 1)',
      'its index key is neither a text nor a whole number',
    ],
    [
      'has a fraction as index key',
      { ...good, index_key: 1.5 },
      'aws_x.a[1.5]',
      'its index key is neither a text nor a whole number',
    ],
    ['has a number as deposed key', { ...good, deposed: 1 }, 'aws_x.a (instance 1)', 'deposed is not a text'],
    [
      'has marks that are not a list',
      { ...good, sensitive_attributes: {} },
      'aws_x.a (instance 1)',
      'sensitive_attributes is not a list',
    ],
    [
      'has an empty mark',
      { ...good, sensitive_attributes: [[]] },
      'aws_x.a (instance 1)',
      'sensitive_attributes has an invalid path',
    ],
    [
      'has dependencies that are not texts',
      { ...good, dependencies: [1] },
      'aws_x.a (instance 1)',
      'dependencies is not a list of texts',
    ],
    [
      'has flat attributes that are not texts',
      { attributes_flat: { id: 1 } },
      'aws_x.a (instance 1)',
      'attributes_flat has a value that is not a text',
    ],
  ])('an instance that %s is a failure with its place, and the others are read', (_what, instance, address, reason) => {
    const { summary, instances } = collect(stateWith(resourceWith(instance, good)), [11]);

    expect(summary.parse_failures).toEqual([{ address, reason }]);
    expect(summary).toMatchObject({ parse_failure_count: 1, instance_count: 1 });
    expect(instances.map(({ identifiers }) => identifiers['id'])).toEqual(['ok']);
  });

  test.each([
    ['not an object', 7, 'resources[0]', 'it is not an object'],
    ['without type', { ...resourceWith(good), type: undefined }, 'resources[0]', 'it has no type'],
    ['with a number as name', { ...resourceWith(good), name: 1 }, 'resources[0]', 'its name is not a text'],
    ['without instances', { ...resourceWith(), instances: undefined }, 'aws_x.a', 'it has no instances'],
    ['whose instances are an object', { ...resourceWith(), instances: {} }, 'aws_x.a', 'its instances are not a list'],
  ])('a resource that is %s is a failure', (_what, resource, address, reason) => {
    const { summary } = collect(stateWith(resource, resourceWith(good)));

    expect(summary).toMatchObject({ parse_failure_count: 1, instance_count: 1, parse_failures: [{ address, reason }] });
  });

  test('an unknown mode is a failure of each instance', () => {
    const { summary } = collect(stateWith({ ...resourceWith(good, good), mode: 'ephemeral' }));

    expect(summary).toMatchObject({ parse_failure_count: 2, instance_count: 0 });
  });

  test('an instance that is too large is a failure, and the next one is read', () => {
    const large = { index_key: 'big', attributes: { id: 'x'.repeat(5000) } };
    for (const cut of [[64], [1_000_000]]) {
      const { summary } = collect(stateWith(resourceWith(large, good)), cut, { max_entry_bytes: 2000 });

      expect(summary).toMatchObject({
        instance_count: 1,
        parse_failures: [{ address: 'aws_x.a["big"]', reason: 'it is larger than the limit of one entry' }],
      });
    }
  });

  test('only the first hundred failures are listed, and all are counted', () => {
    const { summary } = collect(stateWith(resourceWith(...Array.from({ length: 250 }, () => 1))));

    expect(summary.parse_failure_count).toBe(250);
    expect(summary.parse_failures).toHaveLength(100);
  });

  test.each([
    ['{"address":"a.b","mode":"managed","type":"a","name":"b"}', 'it has no values'],
    ['{"address":"a.b","mode":"managed","type":"a","name":"b","values":[]}', 'values is not an object'],
    [
      '{"address":"a.b","mode":"managed","type":"a","name":"b","values":{},"sensitive_values":[]}',
      'sensitive_values is not an object',
    ],
    ['{"address":"a.b","mode":"managed","name":"b","values":{}}', 'it has no type'],
  ])('an entry of terraform show is a failure: %s', (entry, reason) => {
    const { summary } = collect(`{"format_version":"1.0","values":{"root_module":{"resources":[${entry}]}}}`);

    expect(summary.parse_failures).toEqual([{ address: 'a.b', reason }]);
  });

  test('a module of terraform show with the wrong type is a failure', () => {
    const { summary } = collect(
      '{"format_version":"1.0","values":{"root_module":{"resources":{},"child_modules":[1,{"child_modules":2}]}}}',
    );

    expect(summary.parse_failures.map(({ address }) => address)).toEqual([
      'root_module.resources',
      'root_module.child_modules[0]',
      'root_module.child_modules[1].child_modules',
    ]);
  });

  test('members of a resource after its instances are refused, because the instances were already delivered', () => {
    const state = stateWith({ ...resourceWith(good), module: 'module.late' });

    expect(catchRefusal(state)).toMatchObject({
      error_class: 'invalid_state_json',
      message: expect.stringMatching(/resources\[0\] has the member "module" after its instances/),
    });
  });
});

describe('secrets', () => {
  const secret = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{11}[0-9][A-Z]$/);
  const open = fc.dictionary(fc.constantFrom('name', 'tags', 'size', 'list'), fc.jsonValue({ maxDepth: 2 }));

  test('never appear in what was read, wherever a copy is', () => {
    fc.assert(
      fc.property(secret, open, open, sizes, (value, first, second, cut) => {
        const marks = [
          [{ type: 'get_attr', value: 'marked' }],
          [
            { type: 'get_attr', value: 'items' },
            { type: 'index', value: { value: 0, type: 'number' } },
          ],
        ];
        const state = stateWith(
          resourceWith({
            attributes: { ...first, copy: `before ${value} after`, encoded: Buffer.from(value).toString('base64') },
          }),
          resourceWith({
            attributes: {
              ...second,
              id: value,
              marked: { deep: [value] },
              items: [value, 'x'],
              url: `https://x/${value}`,
            },
            sensitive_attributes: marks,
          }),
        );

        const text = JSON.stringify(collect(state, cut).instances);

        expect(text).not.toContain(value);
        expect(text).not.toContain(Buffer.from(value).toString('base64').replace(/=+$/, ''));
      }),
      { numRuns: 100 },
    );
  });

  test('are found by name, format and type without any mark', () => {
    const attributes = {
      id: 'x',
      password: 'hunter2hunter2',
      value: 'open',
      user_data: 'export DB_PASSWORD=Sup3rSecret99',
      nested: [{ primary_access_key: 'abcdefgh12345' }],
      key: 'AKIAIOSFODNN7EXAMPLE',
    };
    const state = stateWith({ ...resourceWith({ attributes }), type: 'aws_ssm_parameter' });

    const [instance] = collect(state).instances;

    expect(instance?.attributes).toEqual({
      id: 'x',
      password: '(sensitive)',
      value: '(sensitive)',
      user_data: 'export DB_PASSWORD=(sensitive)',
      nested: [{ primary_access_key: '(sensitive)' }],
      key: '(sensitive)',
    });
  });

  test('a marked identifier is withheld', () => {
    const sensitive_attributes = [[{ type: 'get_attr', value: 'id' }]];
    const state = stateWith(
      resourceWith({ attributes: { id: 'Sensitive-Id-1', arn: 'arn:x:Sensitive-Id-1' }, sensitive_attributes }),
    );

    const [instance] = collect(state).instances;

    expect(instance).toMatchObject({ identifiers: {}, attributes: { id: '(sensitive)' } });
  });

  test('reasons of failures quote no value', () => {
    const state = stateWith(resourceWith({ attributes: { id: 'a' }, deposed: { password: 'Sup3rSecret99' } }));

    expect(JSON.stringify(collect(state).summary)).not.toContain('Sup3rSecret99');
  });
});
