const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** The process itself: no context of its own for each file. */
class NativeEnvironment {
  #console = globalThis.console;
  #exit = process.exit;

  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  async setup() {
    // Jest's own source maps know nothing of files that Node loaded; Node's know them.
    Error.prepareStackTrace = undefined;
  }

  async teardown() {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    this.fakeTimersModern.dispose();
  }
}

module.exports = NativeEnvironment;
