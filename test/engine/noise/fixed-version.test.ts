import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createProviderVersions, isFixed } from '../../../engine/noise/fixed-version.ts';
import { NOISE_RULES } from '../../../engine/noise-catalog/index.ts';
import type { RawProviderConfig } from '../../../engine/plan/types.ts';

const AWS = 'registry.terraform.io/hashicorp/aws';

function collectVersions(...providers: RawProviderConfig[]) {
  const { observe, versions } = createProviderVersions();
  for (const provider of providers) observe(provider);
  return versions;
}

function fixedBy(version_constraint: string, fixed_in_version: string): boolean {
  return isFixed(fixed_in_version, 'hashicorp/aws', collectVersions({ full_name: AWS, version_constraint }));
}

describe('a rule is disabled', () => {
  test.each([
    ['= 5.31.0', '5.31.0', true],
    ['5.31.0', '5.31.0', true],
    ['5.30.9', '5.31.0', false],
    ['~> 5.40', '5.31.0', true],
    ['~> 5.40', '5.40.0', true],
    ['~> 5.40', '5.40.1', false],
    ['~> 5.40', '5.100.0', false],
    ['~> 5', '4.50.0', true],
    ['>= 5.1, < 6', '5.1.0', true],
    ['>= 5.1, < 6', '5.2.0', false],
    ['< 6, >= 5.1', '5.1.0', true],
    ['>= 3.0.0, >= 4.2.0', '4.1.0', true],
    ['> 5.1.0', '5.1.1', true],
    ['> 5.1.0', '5.1.2', false],
    ['> 5', '5.0.1', true],
    ['< 6.0.0', '4.50.0', false],
    ['<= 6.0.0', '4.50.0', false],
    ['!= 5.31.0', '5.31.0', false],
    ['!= 5.31.0, >= 5.0', '5.0.0', true],
    ['>=5.1,<6', '5.1.0', true],
    ['5.31.0-beta1', '5.31.0', true],
    ['', '1.0.0', false],
    ['latest', '1.0.0', false],
    ['>= 10.0.0', '9.99.99', true],
  ])('for the constraint "%s" and the fix in %s: %s', (constraint, fixed, expected) => {
    expect(fixedBy(constraint, fixed)).toBe(expected);
  });

  test('by the highest lower bound of all modules, because they share one provider version', () => {
    const low = { full_name: AWS, version_constraint: '>= 3.0' };
    const high = { full_name: AWS, version_constraint: '>= 5.27.0' };

    expect(isFixed('5.0.0', 'hashicorp/aws', collectVersions(low, high))).toBe(true);
    expect(isFixed('5.0.0', 'hashicorp/aws', collectVersions(high, low))).toBe(true);
    expect(isFixed('5.0.0', 'hashicorp/aws', collectVersions(low))).toBe(false);
  });

  test('only by its own provider', () => {
    const versions = collectVersions({ full_name: AWS, version_constraint: '~> 5.0' });

    expect(isFixed('4.0.0', 'hashicorp/awscc', versions)).toBe(false);
    expect(isFixed('4.0.0', 'someone/aws', versions)).toBe(false);
    expect(isFixed('4.0.0', 'hashicorp/aws', collectVersions({ version_constraint: '~> 5.0' }))).toBe(false);
  });

  test('by the short provider name of an old plan', () => {
    const versions = collectVersions({ name: 'aws', version_constraint: '~> 5.0' });

    expect(isFixed('4.0.0', 'hashicorp/aws', versions)).toBe(true);
    expect(isFixed('4.0.0', 'aws', versions)).toBe(true);
  });

  test('by the OpenTofu registry too', () => {
    const versions = collectVersions({
      full_name: 'registry.opentofu.org/hashicorp/aws',
      version_constraint: '~> 5.0',
    });

    expect(isFixed('4.0.0', 'hashicorp/aws', versions)).toBe(true);
  });

  test('never if no fixed version is known', () => {
    expect(isFixed(null, 'hashicorp/aws', collectVersions({ full_name: AWS, version_constraint: '~> 5.0' }))).toBe(
      false,
    );
  });

  test('only by versions that are not below the fix', () => {
    const version = fc.tuple(fc.nat(30), fc.nat(30), fc.nat(30));
    fc.assert(
      fc.property(version, version, (given, fixed) => {
        const [a, b] = [given, fixed].map(([major, minor, patch]) => major * 10_000 + minor * 100 + patch);

        expect(fixedBy(`>= ${given.join('.')}`, fixed.join('.'))).toBe(a! >= b!);
      }),
    );
  });
});

/** Last minor release of each completed major version, from the changelogs. */
const LAST_MINOR = {
  aws: [1, 60, 70, 76, 67, 100, Number.POSITIVE_INFINITY],
  azurerm: [3, 44, 99, 117, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  google: [1, 20, 20, 90, 85, 45, 50, Number.POSITIVE_INFINITY],
};

test('the catalog contains only versions that exist for the provider', () => {
  const odd = NOISE_RULES.filter(({ fixed_in_version, provider }) => {
    if (fixed_in_version === null) return false;
    if (provider === null) return true;
    const [, major, minor] = /^(\d+)\.(\d+)\.\d+$/.exec(fixed_in_version) ?? [];
    const last = LAST_MINOR[provider][Number(major)];
    return last === undefined || Number(minor) > last;
  });

  expect(odd.map(({ id }) => id)).toEqual([]);
});
