/** R-TLS-DOWN for listeners, R-ENC-ROTATE for keys, and logins of listeners. */

const REASONS = {
  'R-TLS-DOWN': {
    unencrypted: (from: string, to: string) => `The listener no longer encrypts connections: ${from} to ${to}.`,
    plain_http: 'The listener serves unencrypted HTTP and does not redirect to HTTPS.',
    policy: (policy: string) => `Older TLS versions are accepted: ssl_policy is ${policy}.`,
  },
  'R-ENC-ROTATE': {
    create: 'The key is not rotated automatically.',
    off: 'The key is no longer rotated automatically.',
    slower: (from: number, to: number) => `The key is rotated less often: every ${to} instead of ${from} seconds.`,
    slower_hidden: 'The key is rotated less often.',
    destruction: 'There is less time to cancel deletion of the key.',
  },
  login: 'Requests without a login are now forwarded.',
  no_expiry: 'The key no longer expires.',
  earlier_expiry: 'The key expires earlier.',
};

import { isAtLeast } from '../../../model/levels.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { at, isEmpty, list, member, quantity, text } from '../values.ts';
import { tlsVersion } from '../versions.ts';

const ENCRYPTED = new Set(['https', 'tls']);

function judgeListener(subject: Subject): void {
  const { before, after, mode } = subject;
  const was = text(member(before, 'protocol')).toLowerCase();
  const is = text(member(after, 'protocol')).toLowerCase();
  if (ENCRYPTED.has(was) && is !== '' && !ENCRYPTED.has(is)) {
    const shown = (side: Value): string => subject.quote(['protocol'], member(side, 'protocol'));
    const message = REASONS['R-TLS-DOWN'].unencrypted(shown(before), shown(after));
    subject.add({ rule: 'R-TLS-DOWN', level: 'high', path: ['protocol'], message, states_values: true });
    subject.setDirection(['protocol'], 'weakening');
  } else if (ENCRYPTED.has(is) && was !== '' && !ENCRYPTED.has(was)) {
    subject.setDirection(['protocol'], 'strengthening');
  } else if (is === 'http' && !redirects(after) && (mode === 'create' || redirects(before))) {
    report(subject, ['protocol'], 'medium', REASONS['R-TLS-DOWN'].plain_http);
  }
  judgePolicy(subject);
  judgeLogin('default_action', subject);
}

/** Checks listener actions that require a login. */
function judgeLogin(attribute: string, subject: Subject): void {
  const before = demandsLogin(member(subject.before, attribute));
  const after = demandsLogin(member(subject.after, attribute));
  if (before === after || subject.mode === 'create' || subject.isUnknown(attribute)) return;
  const path = [attribute];
  if (before) {
    subject.add({ rule: `R-ATTR-${subject.type}.${attribute}`, level: 'high', path, message: REASONS.login });
  }
  subject.setDirection(path, before ? 'weakening' : 'strengthening');
}

function demandsLogin(actions: Value): boolean {
  return list(actions).some((action) =>
    ['authenticate_oidc', 'authenticate_cognito'].some((kind) => {
      const login = list(member(action, kind))[0];
      return login !== undefined && text(member(login, 'on_unauthenticated_request')) !== 'allow';
    }),
  );
}

function redirects(listener: Value): boolean {
  return text(at(listener, 'default_action', 'type')) === 'redirect';
}

function judgePolicy(subject: Subject): void {
  const from = tlsVersion(text(member(subject.before, 'ssl_policy')));
  const to = tlsVersion(text(member(subject.after, 'ssl_policy')));
  if (to === undefined) return;
  if (subject.mode === 'create' ? to < 12 : from !== undefined && to < from) {
    const level = subject.mode !== 'create' && to < 12 ? 'high' : 'medium';
    report(
      subject,
      ['ssl_policy'],
      level,
      REASONS['R-TLS-DOWN'].policy(subject.quote(['ssl_policy'], member(subject.after, 'ssl_policy'))),
    );
  } else if (from !== undefined && to > from) {
    subject.setDirection(['ssl_policy'], 'strengthening');
  }
}

function report(subject: Subject, path: Path, level: 'medium' | 'high', message: string): void {
  subject.add({ rule: 'R-TLS-DOWN', level, path, message });
  if (isAtLeast(level, 'medium')) subject.setDirection(path, 'weakening');
}

/** Checks Google keys for a rotation period that is removed or increased. */
function judgeRotation(subject: Subject): void {
  const path = ['rotation_period'];
  const from = quantity(member(subject.before, 'rotation_period'));
  const to = quantity(member(subject.after, 'rotation_period'));
  if (subject.mode === 'create') {
    if (
      to === undefined &&
      text(member(subject.after, 'purpose')) !== 'ASYMMETRIC_SIGN' &&
      !subject.isUnknown(...path)
    ) {
      subject.add({ rule: 'R-ENC-ROTATE', level: 'low', path, message: REASONS['R-ENC-ROTATE'].create });
    }
  } else if (from !== undefined && (to === undefined || to > from) && !subject.isUnknown(...path)) {
    const messages = REASONS['R-ENC-ROTATE'];
    const slower = to === undefined ? messages.off : messages.slower(from, to);
    const message = to !== undefined && subject.isHidden(path) ? messages.slower_hidden : slower;
    subject.add({ rule: 'R-ENC-ROTATE', level: 'medium', path, message });
    subject.setDirection(path, 'weakening');
  } else if (to !== undefined && (from === undefined || to < from)) {
    subject.setDirection(path, 'strengthening');
  }
}

/** Checks the time in which the destruction of a key can be canceled. */
function judgeDestruction(subject: Subject): void {
  const path = ['destroy_scheduled_duration'];
  const from = quantity(member(subject.before, 'destroy_scheduled_duration'));
  const to = quantity(member(subject.after, 'destroy_scheduled_duration'));
  if (from === undefined || to === undefined || from === to) return;
  if (to < from)
    subject.add({
      rule: 'R-ENC-ROTATE',
      level: 'medium',
      path,
      message: REASONS['R-ENC-ROTATE'].destruction,
    });
  subject.setDirection(path, to < from ? 'weakening' : 'strengthening');
}

/** Checks Key Vault keys for an expiration date that is removed or moved earlier. */
function judgeExpiry(subject: Subject): void {
  const from = member(subject.before, 'expiration_date');
  const to = member(subject.after, 'expiration_date');
  if (isEmpty(from) || subject.isUnknown('expiration_date') || (!isEmpty(to) && text(to) >= text(from))) return;
  const message = isEmpty(to) ? REASONS.no_expiry : REASONS.earlier_expiry;
  subject.add({ rule: `R-ATTR-${subject.type}.expiration_date`, level: 'medium', path: ['expiration_date'], message });
  subject.setDirection(['expiration_date'], 'weakening');
}

function logins(attribute: string): Rule['watches'] {
  return ['authenticate_oidc', 'authenticate_cognito'].map((kind) => ({
    path: `${attribute}.*.${kind}.*.on_unauthenticated_request`,
  }));
}

export const TLS_RULES: readonly Rule[] = [
  {
    types: ['aws_lb_listener', 'aws_alb_listener'],
    watches: [
      { path: 'protocol' },
      { path: 'ssl_policy' },
      { path: 'default_action.*.type' },
      ...logins('default_action'),
    ],
    find: judgeListener,
  },
  {
    types: ['aws_lb_listener_rule', 'aws_alb_listener_rule'],
    watches: logins('action'),
    modes: ['update', 'replace'],
    find: (subject) => judgeLogin('action', subject),
  },
  { types: ['google_kms_crypto_key'], watches: [{ path: 'rotation_period' }], find: judgeRotation },
  {
    types: ['google_kms_crypto_key'],
    watches: [{ path: 'destroy_scheduled_duration' }],
    modes: ['update', 'replace'],
    find: judgeDestruction,
  },
  {
    types: ['azurerm_key_vault_key'],
    watches: [{ path: 'expiration_date' }],
    modes: ['update', 'replace'],
    find: judgeExpiry,
  },
];
