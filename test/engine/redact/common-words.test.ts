import { describe, expect, test } from '@jest/globals';
import { analyzePlan } from '../../../engine/index.ts';
import type { JsonValue } from '../../../engine/model/result.ts';

function analyze(after: Record<string, JsonValue>, sensitive: object) {
  const change = { actions: ['create'], before: null, after, after_sensitive: sensitive };
  const resource = { address: 'aws_thing.a', type: 'aws_thing', name: 'a', change };
  return analyzePlan(JSON.stringify({ format_version: '1.2', resource_changes: [resource] }));
}

describe('a marked common word', () => {
  test.each([
    'enabled',
    'disabled',
    'admin',
    'administrator',
    'true',
    'production',
    'Production',
    'default',
    'latest',
    'postgres',
    'postgresql',
    'eu-central-1',
    'us-gov-west-1',
    'europe-west4',
    'westeurope',
    '1.27.4',
    '443',
    '654321',
    '0.0.0.0/0',
    'aws_db_instance',
    'orders',
  ])('%s is withheld only at its own place', (word) => {
    const attributes = { user: word, note: `uses ${word} here`, tags: { [`${word}/x`]: 'y' } };
    const [change] = analyze(attributes, { user: true }).changes;

    expect(change?.attributes.map(({ path, after }) => [path, after])).toEqual([
      ['user', null],
      ['note', `uses ${word} here`],
      [`tags["${word}/x"]`, 'y'],
    ]);
  });

  test.each(['kX9vQ2mT', 'hunter22', 'c0mpl3x', 'correct-horse-9', 'correcthorsebattery', '8402957713'])(
    'is not %s, which is withheld everywhere',
    (word) => {
      const [change] = analyze({ user: word, note: `uses ${word} here` }, { user: true }).changes;

      expect(change?.attributes[1]).toMatchObject({ after: 'uses (sensitive) here', scrubbed: true });
    },
  );
});
