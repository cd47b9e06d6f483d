import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runCli, startCli } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpa-service-'));
const data_dir = join(folder, 'data');

let served: ChildProcess | undefined;

afterAll(() => {
  served?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('the commands that run the service', () => {
  test('dpa demo analyzes the bundled plan with the service and prints the comment', async () => {
    const { code, stdout, stderr } = await runCli(['demo', '--data-dir', data_dir], {
      env: { DATABASE_URL: 'postgres://x' },
    });

    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('submitting the plan to http://127.0.0.1:'),
    });
    expect(stdout).toMatch(/^### 🔴 Plan review: \*\*critical risk\*\*/);
    expect(stdout).toContain('`module.database.aws_db_instance.main`');
  });

  test('dpa demo reports what is wrong with a given plan', async () => {
    const { code, stderr } = await runCli(['demo', join(folder, 'none.json'), '--data-dir', data_dir]);

    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('the file does not exist') });
  });

  test('dpa serve prints its address, accepts a development token, and exits with 0 on SIGTERM', async () => {
    const child = startCli(['serve', '--port', '0', '--data-dir', data_dir]);
    served = child;
    child.stderr?.resume();
    const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
    const token = await runCli(['dev-token', '--email', 'ada@example.com', '--data-dir', data_dir]);

    expect(line).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+$/);
    expect(token).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+\n$/) });
    const url = new URL('/api/v2/me', line.slice('listening on '.length));
    const response = await fetch(url, { headers: { authorization: `Bearer ${token.stdout.trim()}` } });
    expect(await response.json()).toMatchObject({ user: { email: 'ada@example.com' } });

    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test('dpa migrate brings the database up to date', async () => {
    const { code, stdout } = await runCli(['migrate', '--data-dir', data_dir]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'the database is up to date\n' });
  });

  test.each([
    ['audit dump', ['audit', 'dump']],
    ['dev-token', ['dev-token', '--email', 'ada@example.com']],
    ['keys rotate', ['keys', 'rotate']],
    ['trace replay', ['trace', 'replay', `trc-${'0'.repeat(24)}`]],
  ])('dpa %s reports a folder that no service has used, and creates nothing', async (_name, args) => {
    const nowhere = join(folder, 'nowhere');
    const { code, stdout, stderr } = await runCli([...args, '--data-dir', nowhere]);

    expect({ code, stdout, made: existsSync(nowhere) }).toEqual({ code: 1, stdout: '', made: false });
    expect(stderr).toContain(`no service has used the data folder ${nowhere}: set --data-dir or DATA_DIR`);
  });

  test.each([
    ['dev-token without --email', ['dev-token'], {}, /required option '--email <email>'/],
    [
      'dev-token for what is no address',
      ['dev-token', '--email', 'nobody', '--data-dir', data_dir],
      {},
      /"nobody" is not an email address/,
    ],
    ['dev-token in production', ['dev-token', '--email', 'a@b.c'], { NODE_ENV: 'production' }, /NODE_ENV=production/],
    ['serve for the world without identity provider', ['serve', '--host', '0.0.0.0'], {}, /listens only on loopback/],
    [
      'serve with several wrong variables',
      ['serve'],
      { PORT: 'x', LOG_LEVEL: 'y' },
      /(PORT|LOG_LEVEL) [\s\S]*(PORT|LOG_LEVEL) /,
    ],
    [
      'serve in a role that does not exist',
      ['serve', '--role', 'boss'],
      {},
      /Allowed choices are api, worker, scheduler, bot, all/,
    ],
  ])('dpa %s fails with 1 and prints the reason', async (_what, args, env, message) => {
    const { code, stdout, stderr } = await runCli(args, { env, cwd: folder });

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
