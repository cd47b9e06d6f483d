/**
 * `node dist/bench/schedules/firing-worker.js URL [SKEW_MS]`: fires due schedules as a scheduler does, from the first message of its
 * parent until it is killed. Tells its parent when it is loaded.
 */
import { createLogger } from '../../server/log.ts';
import { createMetrics } from '../../server/metrics.ts';
import { startLoops } from '../../server/queue/index.ts';
import { openScheduleProcess } from './harness.ts';

const [, , url = '', skew_ms = '0'] = process.argv;
const { schedules } = openScheduleProcess(url, Number(skew_ms));
const log = createLogger({ log_level: 'error' });
const metrics = createMetrics();
process.once('message', () => {
  startLoops({ loops: [{ name: 'schedules.fire', every_ms: 500, run: schedules.fire }], log, metrics });
});
process.send?.('loaded');
