import type { KnownEffect, Move } from './types.ts';

/** The consequence of each effect: turned off or opened completely, in part, and without a known direction. */
const CONSEQUENCES: Record<KnownEffect, Record<'all' | 'part' | 'neutral', string>> = {
  metadata: same('Descriptive data changes'),
  description: same('Descriptive text changes'),
  capacity: { all: 'Capacity is reduced sharply', part: 'Capacity is reduced', neutral: 'Capacity changes' },
  tuning: same('The behavior is tuned'),
  schedule: { all: 'It no longer runs on schedule', part: 'It runs less often', neutral: 'It runs at other times' },
  version: { all: 'An older version is used', part: 'An older version is used', neutral: 'Another version is used' },
  guard: {
    all: 'A protection is turned off',
    part: 'A protection becomes weaker',
    neutral: 'A protection changes',
  },
  exposure: {
    all: 'Access is opened to everyone',
    part: 'Access is opened to more callers',
    neutral: 'Who can reach it changes',
  },
  identity: {
    all: 'Permissions are granted without a limit',
    part: 'More identities or permissions are allowed',
    neutral: 'Who may act changes',
  },
  encryption: {
    all: 'Encryption is turned off',
    part: 'Encryption becomes weaker',
    neutral: 'Encryption uses other settings',
  },
  secret: same('A secret changes'),
  data_path: same('Data goes to or comes from another place'),
  routing: same('Traffic takes another way'),
  retention: {
    all: 'Data or backups are no longer kept',
    part: 'Data or backups are kept for a shorter time',
    neutral: 'Retention of data changes',
  },
  observability: {
    all: 'Logs, metrics or alarms are turned off',
    part: 'Less is logged, measured or reported',
    neutral: 'Logs, metrics or alarms change',
  },
  disruptive: same('Running instances can restart'),
  destructive: {
    all: 'Data can be deleted without protection',
    part: 'Data can be deleted with less protection',
    neutral: 'The deletion of data changes',
  },
};

function same(text: string): Record<'all' | 'part' | 'neutral', string> {
  return { all: text, part: text, neutral: text };
}

/** States the consequence of one changed argument, without its values. */
export function describeConsequence(effect: KnownEffect, { direction, degree }: Move): string {
  return CONSEQUENCES[effect][direction === 'weakening' ? degree : 'neutral'];
}

/** The id of the rule that judges arguments with this effect. */
export function effectRuleId(effect: KnownEffect): string {
  return `R-EFF-${effect.toUpperCase().replace('_', '')}`;
}
