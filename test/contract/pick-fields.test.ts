import { expect, test } from '@jest/globals';
import { pickFields } from '../../server/contract/pick-fields.ts';

const ROW = {
  id: 1,
  secret: 'x',
  created_at: new Date('2026-05-01T12:00:00.5Z'),
  expires_at: null as Date | null,
  owner: { id: 2 },
};

test('a response contains only the named fields, in their order', () => {
  expect(JSON.stringify(pickFields(ROW, ['owner', 'id']))).toBe('{"owner":{"id":2},"id":1}');
});

test('times become RFC 3339 texts, and null stays null', () => {
  const sent: { created_at: string; expires_at: string | null } = pickFields(ROW, ['created_at', 'expires_at']);

  expect(sent).toEqual({ created_at: '2026-05-01T12:00:00.500Z', expires_at: null });
});
