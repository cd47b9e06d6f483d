import { afterEach, beforeEach } from '@jest/globals';

/** Removes environment variables before each test, so that no other test or machine decides, and restores them after it. */
export function withoutVariables(names: readonly string[]): void {
  const before = names.map((name) => [name, process.env[name]] as const);

  beforeEach(() => {
    for (const name of names) delete process.env[name];
  });
  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}
