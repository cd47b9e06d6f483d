import { expect, test } from '@jest/globals';
import { builtinCatalog } from '../../../engine/index.ts';
import { catalogRoutes } from '../../../server/domains/rules/catalog-routes.ts';

const { getBuiltinRules } = catalogRoutes();
type Request = Parameters<typeof getBuiltinRules>[0];
const get = (provider?: 'aws' | 'gcp' | 'azure') =>
  getBuiltinRules({ query: provider === undefined ? {} : { provider } } as Request);

test.each(['aws', 'gcp', 'azure'] as const)(
  'the catalog of %s has its own rules and types, and the rules about every provider',
  (provider) => {
    const prefix = { aws: 'aws_', gcp: 'google_', azure: 'azurerm_' }[provider];
    const { noise_rules, risk_rules, ...types } = builtinCatalog(provider);

    expect(noise_rules.length).toBeGreaterThanOrEqual(40);
    expect([...new Set(noise_rules.map((rule) => rule.provider))]).toEqual([provider, null]);
    const own = risk_rules.flatMap(({ resource_type }) => resource_type ?? []);
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((type) => !type.startsWith(prefix))).toEqual([]);
    for (const names of Object.values(types)) {
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => !name.startsWith(prefix))).toEqual([]);
    }
  },
);

test('every rule has a fix, and none that hides access or needs caution recommends ignoring', () => {
  const { noise_rules } = builtinCatalog(null);
  for (const { fixes } of noise_rules) {
    expect(fixes.length).toBeGreaterThan(0);
    for (const fix of fixes) expect([fix.pros.length, fix.cons.length]).not.toContain(0);
  }
  const ignored = noise_rules.filter(({ fixes }) => fixes.some(({ label }) => label.startsWith('Ignore')));

  expect(ignored.length).toBeGreaterThan(0);
  expect(ignored.filter(({ severity, title }) => severity === 'caution' || /policy rewritten/i.test(title))).toEqual(
    [],
  );
  const fixed = noise_rules.filter(({ fixed_in_version }) => fixed_in_version !== null);
  expect(fixed.every(({ fixes }) => fixes[0]?.label === 'Upgrade the provider')).toBe(true);
});

test('the response is rendered once per filter and names the release', async () => {
  const [all, again, aws] = [await get(), await get(), await get('aws')];

  expect(again.body).toBe(all.body);
  expect(aws.body).not.toBe(all.body);
  expect(all.headers).toEqual({ 'X-Catalog-Version': expect.stringMatching(/^\d+\.\d+\.\d+$/) });
});

test('rules of the tables are listed by resource type', async () => {
  const { body } = (await getBuiltinRules({ query: { resource_type: 'aws_sqs_queue' } } as Request)) as {
    body: ReturnType<typeof builtinCatalog>;
  };
  const types = new Set(body.risk_rules.map(({ resource_type }) => resource_type));

  expect(types).toEqual(new Set([null, 'aws_sqs_queue']));
  expect(body.risk_rules.length).toBeGreaterThan(
    builtinCatalog(null).risk_rules.filter(({ resource_type }) => types.has(resource_type)).length,
  );
});
