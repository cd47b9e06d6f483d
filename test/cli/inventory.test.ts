import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as samples from '../engine/inventory/samples.ts';
import { runCli } from './run.ts';

const RECORDED = fileURLToPath(new URL('../../recorded-accounts/shop', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dpa-inventory-'));

afterAll(() => rmSync(folder, { recursive: true }));

function saveFile(name: string, content: unknown): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('dpa inventory', () => {
  test('shows the counts, accounts, regions and what was listed to its end', async () => {
    const { code, stdout, stderr } = await runCli([
      'inventory',
      saveFile('good/queues.json', samples.LISTED_QUEUES),
      saveFile('good/graph.json', { ...samples.GRAPH, skip_token: 'more' }),
    ]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('resources   2 of 2 types\n');
    expect(stdout).toContain('accounts    AWS 123456789012, Azure 0f0f\n');
    expect(stdout).toContain('regions     eu-west-1, westeurope\n');
    expect(stdout).toMatch(/AWS::SQS::Queue +1 +0 +eu-west-1\n/);
    expect(stdout).toMatch(/microsoft\.storage\/storageaccounts +1 +1 +no\n/);
    expect(stdout).toMatch(/NOT CHECKED.*\nmicrosoft\.storage\/storageaccounts +- +The listing was cut/);
  });

  test('reads a folder, lists what it refuses, and exits with 3', async () => {
    saveFile('mixed/queue.json', samples.QUEUE);
    const plan = saveFile('mixed/plan.json', { format_version: '1.2', planned_values: {} });

    const { code, stdout } = await runCli(['inventory', join(folder, 'mixed'), '--format', 'json']);

    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      resource_count: 1,
      types: [{ provider_type: 'AWS::SQS::Queue', resource_count: 1, complete_count: 1 }],
      refused: [{ name: plan, error_class: 'other_document' }],
    });
    expect(stdout).not.toContain('canary');
  });

  test('reads recorded accounts of three clouds, and names the states beside them', async () => {
    const { code, stdout } = await runCli(['inventory', RECORDED, '--format', 'json']);

    expect(code).toBe(0);
    const { types, listings, refused, states } = JSON.parse(stdout);
    expect(refused).toEqual([]);
    expect(states).toEqual([join(RECORDED, 'drifted-state.json'), join(RECORDED, 'state.json')]);
    expect(new Set(types.map((one: { provider: string }) => one.provider))).toEqual(new Set(['aws', 'gcp', 'azure']));
    expect(listings.length).toBeGreaterThan(3);
  });

  test('reads standard input, and exits with 1 if nothing can be read', async () => {
    const read = await runCli(['inventory', '-'], { input: JSON.stringify([samples.ASSET]) });
    const refused = await runCli(['inventory', '-'], { input: '<html></html>' });

    expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining('Google Cloud shop') });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('dpa: standard input: This is an HTML page'),
    });
  });
});
