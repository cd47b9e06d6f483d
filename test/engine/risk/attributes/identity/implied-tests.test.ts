import { expect, test } from '@jest/globals';
import { requiresAll } from '../../../../../engine/risk/attributes/identity/implied-tests.ts';

const owner = "assertion.repository_owner == 'acme'";

test.each([
  [owner, owner],
  [`${owner} && assertion.ref == 'refs/heads/main'`, owner],
  ["assertion.repository.startsWith('acme/')", owner],
  [owner, "assertion.repository.startsWith('acme/')"],
  ["assertion.repository == 'acme/shop'", owner],
  ["assertion.repository in ['acme/shop', 'acme/pay']", owner],
  ["resource.name.startsWith('projects/_/buckets/acme/daily')", "resource.name.startsWith('projects/_/buckets/acme')"],
  ["request.time < timestamp('2026-01-01T00:00:00Z')", "request.time < timestamp('2027-01-01T00:00:00Z')"],
])('%s accepts nothing that %s refuses', (after, before) => {
  expect(requiresAll(after, before)).toBe(true);
});

test.each([
  [owner, `${owner} && assertion.ref == 'refs/heads/main'`],
  ["assertion.repository.startsWith('acme')", owner],
  ["assertion.repository.startsWith('acme/shop')", "assertion.repository == 'acme/shop'"],
  [`${owner} || assertion.ref == 'refs/heads/main'`, owner],
  ["assertion.repository_owner in ['acme', 'other']", owner],
  ["resource.name.startsWith('projects/_/buckets/')", "resource.name.startsWith('projects/_/buckets/acme')"],
  ["request.time < timestamp('2036-01-01T00:00:00Z')", "request.time < timestamp('2027-01-01T00:00:00Z')"],
  ['true', owner],
])('%s accepts more than %s', (after, before) => {
  expect(requiresAll(after, before)).toBe(false);
});
