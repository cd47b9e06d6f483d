import { describe, expect, test } from '@jest/globals';
import { isSameTree } from '../../../engine/equivalence/document-values.ts';
import type { JsonValue } from '../../../engine/model/result.ts';

type Case = [one: JsonValue, other: JsonValue];

describe('documents whose values are written in other ways', () => {
  test.each<Case>([
    [{ ttl: '720h' }, { ttl: '720h0m0s' }],
    [{ limits: { cpu: '500m', memory: '1Gi' } }, { limits: { memory: '1024Mi', cpu: 0.5 } }],
    [{ schedule: '0 6 * * 1' }, { schedule: '0 6 * * MON' }],
    [{ expr: 'sum(rate(a[5m])) > 10' }, { expr: 'sum(\n  rate(a[5m])\n) > 10' }],
    [{ receivers: [{ name: 'a' }, { name: 'b' }] }, { receivers: [{ name: 'b' }, { name: 'a' }] }],
    [
      {
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      },
      {
        env: [
          { name: 'B', value: '2' },
          { name: 'A', value: '1' },
        ],
      },
    ],
  ])('%j and %j mean the same', (one, other) => {
    expect([isSameTree(one, other), isSameTree(other, one)]).toEqual([true, true]);
  });

  test.each<Case>([
    [{ ttl: '720h' }, { ttl: '720m' }],
    [{ limits: { memory: '1Gi' } }, { limits: { memory: '1Mi' } }],
    [{ labels: { wait: '60s' } }, { labels: { wait: '1m' } }],
    [{ tag: '1.10' }, { tag: 1.1 }],
    [{ routes: [{ receiver: 'a' }, { receiver: 'b' }] }, { routes: [{ receiver: 'b' }, { receiver: 'a' }] }],
    [
      {
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '$(A)' },
        ],
      },
      {
        env: [
          { name: 'B', value: '$(A)' },
          { name: 'A', value: '1' },
        ],
      },
    ],
    [{ a: 1 }, { a: 1, b: null }],
  ])('%j and %j do not', (one, other) => {
    expect([isSameTree(one, other), isSameTree(other, one)]).toEqual([false, false]);
  });
});
