import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { analyzePlan, readMark, renderMarkdown } from '../../engine/index.ts';
import { BUNDLED_PLAN, runCli } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpa-preview-'));
const empty_plan = join(folder, 'quiet.json');
const broken = join(folder, 'broken.json');
writeFileSync(empty_plan, JSON.stringify({ format_version: '1.2', terraform_version: '1.11.4', resource_changes: [] }));
writeFileSync(broken, '{"version": 4, "resources": []}');

afterAll(() => rmSync(folder, { recursive: true }));

describe('dpa pr-preview', () => {
  test('prints the comment: a marker, followed by the output of analyze', async () => {
    const { code, stdout, stderr } = await runCli(['pr-preview', BUNDLED_PLAN]);
    const lines = (text: string) => text.split('\n').filter((line) => line.startsWith('| '));

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readMark(stdout)).toMatchObject({ run: 1 });
    expect(lines(stdout)).toEqual(lines(renderMarkdown(analyzePlan(readFileSync(BUNDLED_PLAN)), { top: 25 })));
  });

  test('combines plans, compares them with the previous push, and reports a file that is not a plan', async () => {
    const { code, stdout } = await runCli([
      'pr-preview',
      BUNDLED_PLAN,
      broken,
      empty_plan,
      '--previous',
      empty_plan,
      '--gitlab',
    ]);

    expect(code).toBe(3);
    expect(stdout).toContain('· 3 modules ·');
    expect(stdout).toContain('**Since the previous push:** none → critical (+2 delete');
    expect(stdout).toContain(`broken.json\` was not analyzed:** This JSON is not a plan`);
    expect(stdout).toMatch(/\*\*No changes:\*\* `\S*quiet\.json`/);
  });

  test('exits with 1 and prints no comment if a file cannot be read', async () => {
    const { code, stdout, stderr } = await runCli(['pr-preview', join(folder, 'missing.json')]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('missing.json');
  });

  test('prints the check, and comment or check as an HTML page without scripts', async () => {
    const { stdout } = await runCli(['pr-preview', BUNDLED_PLAN, '--check', '--html']);

    expect(stdout).toContain('<!doctype html>');
    expect(stdout).toContain('Critical risk: 2 to delete, 3 to replace');
    expect(stdout).toContain('<code class="language-json">{&quot;schema_version&quot;:1,');
    expect(stdout).not.toMatch(/<script|<img|<a /);
  });
});
