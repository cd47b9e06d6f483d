import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { PLANTED, resourceWith, stateWith } from '../engine/state/collect.ts';
import { runCli } from './run.ts';

const STATE = fileURLToPath(new URL('../fixtures/states/terraform-1.11.tfstate.json', import.meta.url));
const SHOWN = fileURLToPath(new URL('../fixtures/states/terraform-1.11-show.json', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dpa-state-'));

afterAll(() => rmSync(folder, { recursive: true }));

function inspect(...args: string[]) {
  return runCli(['state', 'inspect', ...args]);
}

function saveFile(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('dpa state inspect', () => {
  test('shows the header and the counts of a state file, and no value', async () => {
    const { code, stdout, stderr } = await inspect(STATE);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^format {6}state file, version 4\nwritten by {2}Terraform or OpenTofu 1\.11\.4\n/);
    expect(stdout).toContain('resources   10 managed, 1 data source, 0 deposed\n');
    expect(stdout).toContain('modules     1 besides the root module\n');
    expect(stdout).toContain('sensitive   4 values marked as sensitive\n');
    expect(stdout).toContain('not read    none\n');
    expect(stdout).toMatch(/PROVIDER +MANAGED +DATA\nbuiltin\/terraform +10 +1\n/);
    expect(stdout).toMatch(/TYPE +MANAGED +DATA\nterraform_data +10 +0\nterraform_remote_state +0 +1\n$/);
    expect(stdout).not.toContain(PLANTED);
  });

  test('reads the output of terraform show from standard input', async () => {
    const { code, stdout } = await runCli(['state', 'inspect', '-'], { input: readFileSync(SHOWN, 'utf8') });

    expect(code).toBe(0);
    expect(stdout).toMatch(/^format {6}output of terraform show -json, version 1\.0\n/);
    expect(stdout).toContain('serial      not in this format\n');
  });

  test('prints the same summary with --json and --format json', async () => {
    const [short, long] = await Promise.all([inspect(STATE, '--json'), inspect(STATE, '--format', 'json')]);

    expect(short).toEqual(long);
    expect(JSON.parse(short.stdout)).toMatchObject({ format: 'state', instance_count: 11, parse_failures: [] });
  });

  test('lists what it cannot read, exits with 3, and escapes control characters', async () => {
    const broken = { ...resourceWith({ index_key: 'a\u001b[2J', attributes: 1 }), type: 'aws_\u202ex' };
    const path = saveFile('broken.json', stateWith(resourceWith({ attributes: { id: 'x' } }), broken));

    const { code, stdout } = await inspect(path);

    expect(code).toBe(3);
    expect(stdout).toContain('not read    1 resource\n');
    expect(stdout).toMatch(/NOT READ +REASON\naws_\\u\{202e\}x\.a\["a\\u\{1b\}\[2J"\] +attributes is not an object\n$/);
    expect(stdout).not.toContain('\u001b');
  });

  test.each([
    ['a plan', '{"format_version":"1.2","resource_changes":[]}', /This is a plan, not a state/],
    ['an old state', '{"version":3,"serial":1,"lineage":"a","modules":[]}', /format 3/],
    ['a truncated state', stateWith().slice(0, -3), /truncated/],
  ])('exits with 1 for %s and says what to do', async (_what, content, message) => {
    const path = saveFile('other.json', content);

    const { code, stdout, stderr } = await inspect(path);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toContain(`dpa: ${path}: `);
  });

  test('exits with 1 for a missing file and a folder', async () => {
    const [missing, directory] = await Promise.all([inspect(join(folder, 'none')), inspect(folder)]);

    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('the file does not exist') });
    expect(directory).toMatchObject({ code: 1, stderr: expect.stringContaining('this is a folder') });
  });
});
