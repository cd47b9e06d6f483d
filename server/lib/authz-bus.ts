/** A change of permissions; cached data about it is no longer valid. */
export type AuthzChange = { what: 'user'; id: string } | { what: 'key'; id: string } | { what: 'allowlist' };

/** `everything`: changes may have been missed, so all cached data is invalid. */
export type AuthzListener = (change: AuthzChange | 'everything') => void;

export interface AuthzBus {
  /**
   * Call after the commit. This process invalidates its caches before the call returns; other processes are notified.
   */
  announce(change: AuthzChange): void;
  onChange(listener: AuthzListener): void;
  /** Handles a change from another process. */
  receive(change: AuthzChange | 'everything'): void;
}

/**
 * @param publish sends a change to the other processes; it must not throw. It can be lost, so caches are short-lived
 */
export function createAuthzBus(publish: (change: AuthzChange) => void): AuthzBus {
  const listeners: AuthzListener[] = [];
  const receive = (change: AuthzChange | 'everything') => {
    for (const listener of listeners) listener(change);
  };
  return {
    announce(change) {
      receive(change);
      publish(change);
    },
    onChange(listener) {
      listeners.push(listener);
    },
    receive,
  };
}
