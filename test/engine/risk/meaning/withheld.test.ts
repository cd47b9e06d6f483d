import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { judgeAlone, makeChange } from '../helpers.ts';

test('a value of a pair is withheld when its name says that it is secret', () => {
  const pair = (value: string): JsonObject => ({ parameter: [{ name: 'token_ttl_password', value }] });
  const { reasons } = judgeAlone(makeChange('acme_settings', 'update', [pair('300'), pair('never')]));

  expect(JSON.stringify(reasons)).not.toContain('300');
});
