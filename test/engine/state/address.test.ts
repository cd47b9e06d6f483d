import { describe, expect, test } from '@jest/globals';
import { findModule, readProviderSource, writeAddress } from '../../../engine/state/address.ts';

describe('an address', () => {
  test.each([
    [{ module_address: null, mode: 'managed', index: null }, 'aws_x.a'],
    [{ module_address: 'module.m', mode: 'data', index: 3 }, 'module.m.data.aws_x.a[3]'],
    [{ module_address: null, mode: 'managed', index: 'k' }, 'aws_x.a["k"]'],
    [{ module_address: null, mode: 'managed', index: 'q"b\\n\n' }, 'aws_x.a["q\\"b\\\\n\\n"]'],
    [{ module_address: null, mode: 'managed', index: `\${x} %{y} $z` }, `aws_x.a["$\${x} %%{y} $z"]`],
  ] as const)('is written as Terraform does: %j', (parts, expected) => {
    expect(writeAddress({ ...parts, type: 'aws_x', name: 'a' })).toBe(expected);
  });

  test.each([
    ['aws_x.a', null],
    ['module.m.aws_x.a', 'module.m'],
    ['module.m["a.b].module.x"].module.n[0].data.aws_x.a["module.k.y"]', 'module.m["a.b].module.x"].module.n[0]'],
    ['module.m["q\\"]."].aws_x.a', 'module.m["q\\"]."]'],
    ['module.m["never closed', null],
    ['module.m[', null],
    ['module.', null],
    ['module_x.a', null],
  ])('%s is in module %s', (address, module) => {
    expect(findModule(address)).toBe(module);
  });
});

test.each([
  ['provider["registry.terraform.io/hashicorp/aws"]', 'registry.terraform.io/hashicorp/aws'],
  ['module.a.provider["registry.opentofu.org/hashicorp/aws"].west', 'registry.opentofu.org/hashicorp/aws'],
  ['provider.aws', 'aws'],
  ['module.a.provider.google-beta.eu', 'google-beta'],
  ['provider. null', 'null'],
  ['', undefined],
])('the provider of %s is %s', (text, source) => {
  expect(readProviderSource(text)).toBe(source);
});
