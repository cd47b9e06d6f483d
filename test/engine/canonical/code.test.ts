import { describe, expect, test } from '@jest/globals';
import { celForm, corefileForm, hclForm, sqlForm, vclForm } from '../../../engine/canonical/code.ts';
import { normalizeContainers } from '../../../engine/canonical/containers.ts';

const HCL = 'path "kv/*" {\n  capabilities = ["read", "list"]\n}\n';
const VCL = 'if (req.url ~ "^/a  b") {\n  return(pass);\n}\n';
const SQL = "select a, b from t where c = 'X  y'";
const CEL = "assertion.owner == 'acme' && assertion.ref == 'main'";
const COREFILE = '.:53 {\n    errors\n    forward . /etc/resolv.conf\n}\n';

describe('the same code', () => {
  test.each([
    ['HCL with comments', hclForm, HCL, `# owner\n${HCL.replace('"read", "list"', '"read","list"')}// end`],
    ['HCL in more lines', hclForm, HCL, 'path "kv/*" {\n\n  capabilities = [\n"read",\n"list"]\n}'],
    ['VCL with comments', vclForm, VCL, 'if (req.url ~ "^/a  b") { /* why */ return(pass); } # end'],
    ['SQL in another case', sqlForm, SQL, "SELECT A,\n  B FROM t -- all\nWHERE C = 'X  y';"],
    ['CEL with other quotes', celForm, CEL, 'assertion.owner=="acme" && assertion.ref=="main"'],
    ['a Corefile with a comment', corefileForm, COREFILE, '.:53 {\n  errors # all\n\n  forward  . /etc/resolv.conf\n}'],
  ])('%s has the same form', (_, write, before, after) => {
    expect(write(before)).not.toBeNull();
    expect(write(after)).toBe(write(before));
  });
});

describe('other code', () => {
  test.each([
    ['HCL with another capability', hclForm, HCL, `# owner\n${HCL.replace('list', 'delete')}`],
    ['HCL with a comment sign in a text', hclForm, 'path "a" {}', 'path "a#" {}'],
    ['VCL with blanks in a text', vclForm, VCL, VCL.replace('a  b', 'a b')],
    ['VCL with a statement in a comment', vclForm, VCL, VCL.replace('return(pass);', '# return(pass);')],
    ['SQL with a text in another case', sqlForm, SQL, SQL.replace('X  y', 'x  y')],
    ['SQL with blanks in a text', sqlForm, SQL, SQL.replace('X  y', 'X y')],
    ['SQL with a condition in a comment', sqlForm, SQL, SQL.replace('where', '-- where')],
    ['CEL with another value', celForm, CEL, CEL.replace('main', 'dev')],
    ['CEL with another operator', celForm, CEL, CEL.replace('==', '!=')],
    ['a Corefile with another server', corefileForm, COREFILE, COREFILE.replace('/etc/resolv.conf', '9.9.9.9')],
    ['a Corefile with joined lines', corefileForm, COREFILE, COREFILE.replace('errors\n', 'errors ')],
  ])('%s has another form', (_, write, before, after) => {
    expect(write(after)).not.toBe(write(before));
  });

  test.each([
    ['a here document', hclForm, 'a = <<EOF\nx\nEOF\n'],
    ['a long text', vclForm, 'synthetic {"a"};'],
    ['a text in dollar signs', sqlForm, 'select $$a$$'],
    ['an escape', sqlForm, "select 'a\\'b'"],
    ['a raw text', celForm, "x.matches(r'a')"],
    ['a quote that is not closed', celForm, "x == 'a"],
    ['a quote in a Corefile', corefileForm, 'template { answer "a  b" }'],
  ])('%s has no form', (_, write, text) => {
    expect(write(text)).toBeNull();
  });

  // A search that is not linear would reach the time limit of the test.
  test.each([
    ['HCL', hclForm],
    ['VCL', vclForm],
    ['SQL', sqlForm],
    ['CEL', celForm],
  ])('%s of 100,000 comment signs has no form', (_, write) => {
    expect(write('/*'.repeat(100_000))).toBeNull();
  });
});

describe('container definitions', () => {
  const define = (...environment: object[]) => [{ name: 'web', environment, command: ['a', 'b'] }] as never;
  const [a, b] = [
    { name: 'A', value: '1' },
    { name: 'B', value: '2' },
  ];

  test('have environment variables in any order', () => {
    expect(normalizeContainers(define(a, b))).toEqual(normalizeContainers(define(b, a)));
  });

  test('differ when a variable has another value', () => {
    expect(normalizeContainers(define(a, b))).not.toEqual(normalizeContainers(define(b, { name: 'A', value: '2' })));
  });

  test('keep the order of variables with the same name', () => {
    const twice = [a, { name: 'A', value: '3' }];

    expect(normalizeContainers(define(...twice))).not.toEqual(normalizeContainers(define(...twice.reverse())));
  });
});
