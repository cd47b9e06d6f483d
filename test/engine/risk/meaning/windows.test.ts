import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

const weekly = (day: string, hour: string) => ({ maintenance_window: [{ day_of_week: day, start_time: hour }] });

describe('maintenance windows', () => {
  testLevels([
    ['acme_database', weekly('Sunday', '02:00'), weekly('Wednesday', '11:00'), 'medium', 'R-VAL-MAINTENANCE'],
    ['acme_database', weekly('Sunday', '02:00'), weekly('Saturday', '11:00'), 'low'],
    ['acme_database', weekly('Tuesday', '10:00'), weekly('Wednesday', '11:00'), 'low'],
    [
      'acme_cluster',
      { upgrade_window: [{ start_time: '2026-01-03T01:00:00Z', recurrence: 'FREQ=WEEKLY;BYDAY=SA,SU' }] },
      { upgrade_window: [{ start_time: '2026-01-03T09:00:00Z', recurrence: 'FREQ=DAILY' }] },
      'medium',
      'R-VAL-MAINTENANCE',
    ],
    [
      'acme_server',
      { maintenance_window: [{ day_of_week: 0, start_hour: 2 }] },
      { maintenance_window: [{ day_of_week: 3, start_hour: 11 }] },
      'medium',
      'R-VAL-MAINTENANCE',
    ],
  ]);
});

describe('days of a schedule', () => {
  const on = (...days: string[]) => ({ backup_policy: [{ days_of_week: days }] });

  testLevels([
    ['acme_cluster', on('MONDAY', 'WEDNESDAY', 'FRIDAY'), on('FRIDAY'), 'medium', 'R-VAL-SCHEDULE'],
    ['acme_cluster', on('MONDAY'), on('MONDAY', 'FRIDAY'), 'low'],
  ]);
});

describe('objects that end when nobody uses them', () => {
  testLevels([
    ['acme_queue', { auto_delete_on_idle: 'P30D' }, { auto_delete_on_idle: 'PT5M' }, 'high', 'R-VAL-LIFETIME'],
    ['acme_queue', { auto_delete_on_idle: 'P90D' }, { auto_delete_on_idle: 'P30D' }, 'medium', 'R-VAL-LIFETIME'],
    ['acme_queue', { auto_delete_on_idle: 'PT5M' }, { auto_delete_on_idle: 'P30D' }, 'low'],
  ]);
});

describe('schedules with an end', () => {
  testLevels([
    [
      'acme_schedule',
      { expiry_time: '9999-12-31T23:59:00Z' },
      { expiry_time: '2026-12-02T00:00:00Z' },
      'medium',
      'R-VAL-SCHEDULE',
    ],
  ]);
});
