import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isSameContent, listDifferences } from '../../../engine/documents/differences.ts';
import { documentParsers } from '../../../engine/documents/index.ts';
import { createDocumentReader } from '../../../engine/documents/reader.ts';
import type { Document } from '../../../engine/documents/types.ts';

const reader = createDocumentReader(() => documentParsers);
const read = (text: string): Document => reader.read(text) as Document;
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');

describe('the format of a text', () => {
  test.each([
    ['json', '{"a": [1]}'],
    ['yaml', 'replicas: 2\nimage: web\n'],
    ['yaml', '#cloud-config\npackages: [nginx]\n'],
    ['yaml', '- name: a\n  role: b\n- name: c\n'],
    ['xml', '<policies><inbound><rate-limit calls="20"/></inbound></policies>'],
    ['properties', 'LOG_LEVEL=info\nexport DB_HOST=db\n# comment\n'],
    ['properties', '[server]\nport = 80\n'],
    ['script', '#!/bin/bash\napt-get update\n'],
    ['sql', 'select id from users where tenant = 4'],
    ['text', 'location / { deny all; }\nserver_name x;\n'],
    ['text', 'eu-west-1'],
  ])('%s: %j', (format, text) => {
    expect(read(text).format).toBe(format);
  });

  test('base64 and gzip are decoded in any order and number up to four layers', () => {
    const yaml = 'replicas: 2\nimage: web\n';

    for (const wrapped of [base64(yaml), base64(gzipSync(yaml)), base64(base64(gzipSync(yaml)))]) {
      expect(read(wrapped)).toEqual(read(yaml));
    }
  });

  test('a hash that is valid base64 is a text', () => {
    expect(read('5f4dcc3b5aa765d61d8327deb882cf99')).toMatchObject({ format: 'text' });
  });

  test('without parsers, YAML is read as lines', () => {
    expect(createDocumentReader().read('replicas: 2\nimage: web\n')).toMatchObject({
      format: 'text',
      statements: ['replicas: 2', 'image: web'],
    });
  });
});

describe('documents with the same meaning', () => {
  test.each([
    ['YAML with other quotes, order and comments', 'a: 1\nb: "x"\n', "# note\nb: 'x'\na: 1\n"],
    ['JSON and YAML', '{"a": 1, "b": "x"}', 'b: x\na: 1\n'],
    [
      'XML with other blanks, comments and order of attributes',
      '<a><b x="1" y="2"/></a>',
      '<a>\n <!-- n -->\n <b y="2" x="1" />\n</a>',
    ],
    [
      'a shell script with other blank lines and comments',
      '#!/bin/sh\necho a\necho b\n',
      '#!/bin/sh\n\n# greet\necho a\n  echo b\n',
    ],
    ['assignments in another order and with quotes', 'A=1\nB=2\n', 'B="2"\nA=1\n'],
    ['YAML with carriage returns', 'name: web\nreplicas: 2\n', 'name: web\r\nreplicas: 2\r\n'],
    ['JSON with a byte order mark', '{"name":"web","a":1}', '\uFEFF{"a":1,"name":"web"}'],
    ['YAML with an anchor and without', 'a: &x { b: 1 }\nc: *x\n', 'a: { b: 1 }\nc: { b: 1 }\n'],
    ['SQL in other lines', 'select a from t where b = 1', 'select a\n  from t -- all\n where b = 1;'],
    ['the same text in base64', 'name: web\nreplicas: 2\n', base64('replicas: 2\nname: web\n')],
  ])('%s', (_, before, after) => {
    expect(isSameContent(read(before), read(after))).toBe(true);
  });

  test.each([
    ['a list in another order', 'a:\n  - x\n  - y\n', 'a:\n  - y\n  - x\n'],
    ['a number that became a text', 'a: 1\nb: 2\n', 'a: "1"\nb: 2\n'],
    ['elements of XML in another order', '<a><b/><c/></a>', '<a><c/><b/></a>'],
    [
      'a comment in text that a script writes to a file',
      '#!/bin/sh\ncat > x <<EOF\n# a\nEOF\n',
      '#!/bin/sh\ncat > x <<EOF\n# b\nEOF\n',
    ],
    [
      'Python with another indentation',
      '#!/usr/bin/python3\nif a:\n  b()\n  c()\n',
      '#!/usr/bin/python3\nif a:\n  b()\nc()\n',
    ],
    ['a duplicate key in JSON', '{"a":1,"bbbbbbbbb":2}', '{"a":3,"a":1,"bbbbbbbbb":2}'],
    ['long numbers in JSON', '{"a":12345678901234567890}', '{"a":12345678901234567891}'],
    ['long numbers in YAML', 'a: 12345678901234567890\nb: 1\n', 'a: 12345678901234567891\nb: 1\n'],
    ['a duplicate key in YAML', 'a: 1\nb: 2\n', 'a: 3\na: 1\nb: 2\n'],
    ['a shell script with carriage returns', '#!/bin/sh\necho a\n', '#!/bin/sh\r\necho a\r\n'],
    ['an anchor with another value', 'a: &x { b: 1 }\nc: *x\n', 'a: &x { b: 2 }\nc: *x\n'],
    ['blanks in quoted SQL', "select 'a  b' from t", "select 'a b' from t"],
  ])('are not: %s', (_, before, after) => {
    expect(isSameContent(read(before), read(after))).toBe(false);
  });

  test('a document equals itself in any format of JSON values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const compact = JSON.stringify(value);
        const document = read(compact);
        return document.lossy === true || isSameContent(document, read(JSON.stringify(value, null, 2)));
      }),
    );
  });
});

describe('differences', () => {
  test('elements of a list are matched by name', () => {
    const before = read('rules:\n  - name: a\n    open: false\n  - name: b\n    open: false\n');
    const after = read('rules:\n  - name: c\n    open: true\n  - name: b\n    open: true\n');

    expect(listDifferences(before, after)).toEqual([
      { path: ['rules', 0, 'name'], before: undefined, after: 'c' },
      { path: ['rules', 0, 'open'], before: undefined, after: true },
      { path: ['rules', 1, 'open'], before: false, after: true },
      { path: ['rules', 0, 'name'], before: 'a', after: undefined },
      { path: ['rules', 0, 'open'], before: false, after: undefined },
    ]);
  });

  test('lines that both sides have are not listed', () => {
    const before = read('#!/bin/sh\nset -e\ncheck\nrun\n');
    const after = read('#!/bin/sh\nset -e\nrun\nclean\n');

    expect(listDifferences(before, after)).toEqual([
      { path: [], before: undefined, after: 'clean' },
      { path: [], before: 'check', after: undefined },
    ]);
  });

  test('equal trees have none, and different trees have at least one', () => {
    fc.assert(
      fc.property(fc.object(), fc.object(), (a, b) => {
        const [left, right] = [a, b].map((value) => read(JSON.stringify({ value }))) as [Document, Document];
        const is_same = isSameContent(left, right);
        const count = listDifferences(left, right).length;
        return is_same ? count === 0 : true;
      }),
    );
  });
});

describe('hostile documents', () => {
  test.each([
    [
      'an alias that expands without end',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from(
        { length: 9 },
        (_, i) =>
          `b${i}: &b${i} [${Array(9)
            .fill(i === 0 ? '*a' : `*b${i - 1}`)
            .join(',')}]`,
      ).join('\n')}\n`,
    ],
    ['100,000 nested lists in JSON', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['100,000 nested lists in YAML', `a: ${'['.repeat(100_000)}${']'.repeat(100_000)}\nb: 1\n`],
    ['a deeply nested XML', '<a>'.repeat(20_000)],
    ['YAML with tabs', 'a:\n\tb: 1\n\tc: 2\n'],
    ['a bomb in gzip', base64(gzipSync(Buffer.alloc(50_000_000)))],
  ])('%s is read as text or not at all', (_, text) => {
    const document = reader.read(text);

    expect(document?.tree).toBeUndefined();
  });

  test('a merge key of YAML stays a key', () => {
    expect(reader.read('a: &x { b: 1 }\nc:\n  <<: *x\n')?.tree).toEqual({ a: { b: 1 }, c: { '<<': { b: 1 } } });
  });

  test('a text of 50 MB is not read', () => {
    expect(reader.read('a'.repeat(50_000_000))).toBeNull();
  });

  test('a text of more than 1 MiB is not read', () => {
    expect(reader.read(`a: 1\n${'x'.repeat(1_048_576)}`)).toBeNull();
  });
});

describe('words of YAML 1.1', () => {
  test('are booleans without quotation marks, and texts as keys and with them', () => {
    expect(reader.read('on:\n  - NO\n  - "NO"\n  - Norway\nflag: off\n')?.tree).toEqual({
      on: [false, 'NO', 'Norway'],
      flag: false,
    });
  });
});
