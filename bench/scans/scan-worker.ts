/**
 * `node dist/bench/scans/scan-worker.js URL ORG SCAN LOG`: works on one scan until it ends, and appends a line to the
 * log for each page that it asks for. `scan-kills.ts` kills it.
 */
import { appendFileSync } from 'node:fs';
import { openScanProcess } from './harness.ts';
import { createMadeAdapter } from './made-account.ts';
import { KILLED_ACCOUNT } from './scan-kills.ts';

const [, , url = '', org_id = '', id = '', log = ''] = process.argv;
const onPage = ({ key }: { key: string }, at: number) => appendFileSync(log, `${key} ${at}\n`);
const scans = openScanProcess({ url }, createMadeAdapter({ ...KILLED_ACCOUNT, onPage }));
await scans.cloudScans.run({ org_id, id }, new AbortController().signal);
await scans.close();
