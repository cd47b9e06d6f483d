import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { StateErrorClass } from '../../../engine/state/index.ts';
import { catchRefusal, collect, resourceWith, stateWith } from './collect.ts';

const STATE = stateWith(resourceWith({ attributes: { id: 'i-1' } }));
const PULL = /terraform state pull > state.json/;

/** What is refused, its class, and what the message says. */
const REFUSED: [string, string | Buffer, StateErrorClass, RegExp][] = [
  ['an empty file', '', 'empty_state', /empty.*terraform state pull/],
  ['only whitespace', ' \r\n', 'empty_state', /empty/],
  ['only a byte order mark', '\ufeff', 'empty_state', /empty/],
  ['a truncated state', STATE.slice(0, -5), 'truncated_state', /ends after \d+ bytes.*truncated/],
  ['a state that ends in a text', STATE.slice(0, STATE.indexOf('i-1') + 1), 'truncated_state', /truncated/],
  [
    'damaged JSON',
    STATE.replace('"id":', '"id";'),
    'invalid_state_json',
    /invalid at byte \d+: unexpected ";"\. The file is damaged/,
  ],
  [
    'too deep nesting',
    stateWith(resourceWith({ attributes: { id: 0 } })).replace('"id":0', `"id":${'['.repeat(300)}${']'.repeat(300)}`),
    'invalid_state_json',
    /more than 200 levels/,
  ],
  ['text after the end', `${STATE}{}`, 'invalid_state_json', /more text after the end/],
  [
    'a second list of resources',
    STATE.replace(/}$/, ',"resources":[]}'),
    'invalid_state_json',
    /member "resources" twice/,
  ],
  ['a second version', STATE.replace(/}$/, ',"version":4}'), 'invalid_state_json', /member "version" twice/],
  [
    'a second root module',
    '{"format_version":"1.0","values":{"root_module":{},"root_module":{}}}',
    'invalid_state_json',
    /values has the member "root_module" twice/,
  ],
  ['resources that are an object', '{"version":4,"resources":{}}', 'invalid_state_json', /resources is not a list/],
  ['resources that are a text', '{"version":4,"resources":"x"}', 'invalid_state_json', /resources is not a list/],
  ['values that are a list', '{"format_version":"1.0","values":[]}', 'invalid_state_json', /values is not an object/],
  ['no resources', '{"version":4,"serial":1,"lineage":"a"}', 'invalid_state_json', /no member "resources"/],
  [
    'a serial that is a text',
    '{"version":4,"serial":"x","resources":[]}',
    'invalid_state_json',
    /serial is not a whole number/,
  ],
  [
    'a lineage that is a list',
    '{"version":4,"lineage":[],"resources":[]}',
    'invalid_state_json',
    /lineage is not a single value/,
  ],
  [
    'too many members',
    `{${Array.from({ length: 1100 }, (_, i) => `"m${i}":1`).join()}}`,
    'invalid_state_json',
    /more than 1000 members/,
  ],
  [
    'format 3',
    '{"version":3,"terraform_version":"0.11.14","serial":1,"lineage":"a","modules":[]}',
    'unsupported_state_version',
    /format 3, which Terraform 0\.7 to 0\.11 wrote.*Terraform 0\.12 and later upgrade it/,
  ],
  [
    'format 2',
    '{"version":2,"serial":1,"modules":[]}',
    'unsupported_state_version',
    /format 2, which Terraform before 0\.7/,
  ],
  [
    'format 1',
    '{"version":1,"serial":1,"modules":[]}',
    'unsupported_state_version',
    /format 1, which Terraform before 0\.7/,
  ],
  [
    'format 5',
    '{"version":5,"serial":1,"lineage":"a","resources":[]}',
    'unsupported_state_version',
    /unknown format 5.*Update dpa/,
  ],
  [
    'format 2 of terraform show',
    '{"format_version":"2.0","values":{}}',
    'unsupported_state_version',
    /dpa reads 0\.x and 1\.x/,
  ],
  [
    'an encrypted state',
    '{"serial":1,"lineage":"a","meta":{"key_provider.pbkdf2.a":"e30="},"encrypted_data":"AAAA","encryption_version":"v0"}',
    'encrypted_state',
    /OpenTofu encrypted\. Decrypt it.*tofu state pull/,
  ],
  [
    'a pointer to a backend',
    '{"version":3,"terraform_version":"1.11.4","backend":{"type":"s3","config":{}}}',
    'not_a_state',
    /\.terraform\/terraform\.tfstate.*only says where/,
  ],
  [
    'a plan',
    '{"format_version":"1.2","planned_values":{"root_module":{}},"resource_changes":[]}',
    'not_a_state',
    /a plan, not a state\. Analyze it with `dpa analyze/,
  ],
  ['provider schemas', '{"format_version":"1.0","provider_schemas":{}}', 'not_a_state', /providers schema -json/],
  [
    'a lock',
    '{"ID":"a","Operation":"OperationTypeApply","Info":"","Who":"u@h","Version":"1.11.4","Created":"","Path":"p"}',
    'not_a_state',
    /lock of a state/,
  ],
  ['a state of Pulumi', '{"version":3,"deployment":{"resources":[]}}', 'not_a_state', /Pulumi/],
  ['validate output', '{"format_version":"1.0","valid":true,"diagnostics":[]}', 'not_a_state', /terraform validate/],
  ['log lines', '{"@level":"info","@message":"x"}', 'not_a_state', /a log of Terraform/],
  ['an error of HCP Terraform', '{"errors":[{"status":"401"}]}', 'not_a_state', /error response/],
  ['an answer of HCP Terraform', '{"data":{"type":"state-versions"}}', 'not_a_state', /hosted-state-download-url/],
  ['another object', '{"name":"package","version":"1.0.0"}', 'not_a_state', /has a version, but is not a state/],
  ['an object without version', '{"a":1}', 'not_a_state', /neither the member version nor format_version/],
  [
    'an HTML page',
    '<!DOCTYPE html><html><body>Log in</body></html>',
    'not_a_state',
    /an HTML page.*login or error page/,
  ],
  [
    'an XML error',
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
    'not_a_state',
    /an XML document.*permission/,
  ],
  ['gzip', gzipSync(STATE), 'encoded_state', /compressed with gzip.*gunzip/],
  ['Zstandard', Buffer.from('28b52ffd04', 'hex'), 'encoded_state', /compressed with Zstandard/],
  ['UTF-16', Buffer.from(`\ufeff${STATE}`, 'utf16le'), 'encoded_state', /UTF-16.*PowerShell/],
  ['UTF-16 without mark', Buffer.from(STATE, 'utf16le'), 'encoded_state', /UTF-16/],
  ['a ZIP file', Buffer.from('504b0304140008000800', 'hex'), 'not_a_state', /ZIP file.*binary plan/],
  ['a binary file', Buffer.from('7f454c460201010000', 'hex'), 'not_a_state', /binary file/],
  ['a list', '[{"version":4}]', 'not_a_state', /not an object/],
  ['text of terraform show', '# aws_vpc.main:\nresource "aws_vpc" "main" {\n', 'not_a_state', /text for people/],
  ['other text', 'version: 4', 'not_a_state', /not JSON/],
];

describe('a file that is not a readable state', () => {
  test.each(REFUSED)('%s is refused by name', (_what, content, error_class, message) => {
    for (const sizes of [[1_000_000], [1], [3, 50]]) {
      const error = catchRefusal(content, sizes);

      expect(error.message).toMatch(message);
      expect(error.error_class).toBe(error_class);
    }
  });

  test('is described without its content, which can be secret', () => {
    for (const content of ['hunter2 is the password', '{"hunter2":', '"hunter2"', '{"version":"hunter2","serial":1}']) {
      expect(catchRefusal(content).message).not.toContain('hunter2');
    }
  });

  test('is refused also when its version comes after its resources', () => {
    const state = '{"resources":[],"serial":1,"lineage":"a","version":3}';

    expect(catchRefusal(state)).toMatchObject({ error_class: 'unsupported_state_version' });
  });

  test('names the command that writes a readable one', () => {
    for (const content of ['', '[1]', '<html>', '{"a":1}', STATE.slice(0, 30)]) {
      expect(catchRefusal(content).message).toMatch(PULL);
    }
  });
});

describe('a state without resources', () => {
  test.each([
    ['{"version":4,"serial":1,"lineage":"","resources":[]}', 'state'],
    ['{"version":4,"serial":1,"lineage":"","resources":null}', 'state'],
    ['{"format_version":"1.0"}', 'show'],
    ['{"format_version":"1.0","values":{"root_module":{}}}', 'show'],
    ['\ufeff{"format_version":"1.0","values":null}', 'show'],
    ['[command]/bin/terraform show -json\n{"format_version":"1.0"}\n::debug::exited with code 0\n', 'show'],
  ])('is read as empty: %s', (content, format) => {
    expect(collect(content).summary).toMatchObject({ format, instance_count: 0, parse_failure_count: 0 });
  });
});
