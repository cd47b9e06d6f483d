import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { buildHeaders, classifyStatus, readWait, waitAfter } from '../../../server/domains/webhooks/sending.ts';

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const now = new Date();

describe('signing messages', () => {
  const message = { id: 'msg_01JH0000000000000000000000', body: '{"event":"ping","data":{}}' };

  test('a message is signed as Standard Webhooks specifies', () => {
    const headers = buildHeaders([SECRET], message, new Date(1767323045_678));

    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'dpa-webhooks/1',
      'webhook-id': message.id,
      'webhook-timestamp': '1767323045',
      'webhook-signature': 'v1,eeIFJiIz3Hle/A4acrWchMqF42ANwPmCPdia3ww0wfc=',
    });
  });

  test('a message verifies with either secret while two are valid, and with no other', () => {
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const headers = buildHeaders([SECRET, other], message, now);

    for (const secret of [SECRET, other]) expect(new Webhook(secret).verify(message.body, headers)).toBeDefined();
    const third = new Webhook(`whsec_${Buffer.alloc(32, 2).toString('base64')}`);
    expect(() => third.verify(message.body, headers)).toThrow();
  });
});

test.each([
  [200, 'delivered'],
  [299, 'delivered'],
  [301, 'failed'],
  [400, 'refused'],
  [404, 'refused'],
  [408, 'failed'],
  [410, 'gone'],
  [425, 'failed'],
  [429, 'failed'],
  [500, 'failed'],
  [null, 'failed'],
])('the response %p means %s', (status, verdict) => {
  expect(classifyStatus(status)).toBe(verdict);
});

describe('retry delays', () => {
  test('delays grow from half a minute to twelve hours, and end with the eighth attempt', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => waitAfter(tries, 0.5, null)).map((ms) => ms && ms / 60_000);

    expect(minutes).toEqual([0.5, 2, 10, 30, 120, 360, 720, null]);
  });

  test('delays vary by a fifth and are never shorter than the server requested', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 3_600_000 }),
        (tries, random, asked) => {
          const middle = waitAfter(tries, 0.5, null) ?? 0;
          const wait = waitAfter(tries, random, null) ?? 0;
          expect(Math.abs(wait - middle)).toBeLessThanOrEqual(middle * 0.2 + 1);
          expect(waitAfter(tries, random, asked)).toBe(Math.max(wait, asked));
        },
      ),
    );
  });

  test.each([
    [null, null],
    ['60', 60_000],
    ['3600', 3_600_000],
    ['3601', null],
    ['0', null],
    ['-5', null],
    ['soon', null],
    ['Fri, 01 May 2026 12:00:30 GMT', 30_000],
    ['Fri, 01 May 2026 14:00:00 GMT', null],
  ])('Retry-After %p is %p ms', (header, ms) => {
    expect(readWait(header, new Date('2026-05-01T12:00:00Z'))).toBe(ms);
  });
});
