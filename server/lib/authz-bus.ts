/** A fact about who may do what that has just changed; what was remembered of it is void. */
export type AuthzChange = { what: 'user'; id: string } | { what: 'key'; id: string } | { what: 'allowlist' };

/** `everything`: changes may have been missed, so nothing that is remembered can be trusted. */
export type AuthzListener = (change: AuthzChange | 'everything') => void;

export interface AuthzBus {
  /** Call after the commit. This process drops what it remembers before the call returns; others are told. */
  announce(change: AuthzChange): void;
  onChange(listener: AuthzListener): void;
  /** What another process announced. */
  receive(change: AuthzChange | 'everything'): void;
}

/** @param publish passes a change on to the other processes; it must not throw, and may be lost: memories are short */
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
