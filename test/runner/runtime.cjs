const asyncHooks = require('node:async_hooks');
const { register, registerHooks } = require('node:module');
const { pathToFileURL } = require('node:url');

const STORAGE_CLASS = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
const storage = new asyncHooks.AsyncLocalStorage();

/** One storage for all copies of the framework: Node never forgets one, and copies all of them for each promise. */
class FrameworkStorage {
  constructor() {
    // biome-ignore lint/correctness/noConstructorReturn: whoever makes one gets the one that there is
    return storage;
  }
}

/**
 * Loads test files with Node's own loader. Jest's loader compiles every module anew in a context of its own for each
 * file; most of the time of a run went there. Modules are shared by the files that one worker process runs.
 */
class NativeRuntime {
  #jest;

  constructor(_config, environment) {
    this.#jest = jestObject(environment);
  }

  /** The test framework itself, anew for each file: it keeps the tests it was given in its module. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    // A getter in newer releases of Node, so it is defined rather than set.
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: FrameworkStorage, configurable: true });
    try {
      return require(path);
    } finally {
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', STORAGE_CLASS);
    }
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    const { bindGlobals } = await prepared;
    bindGlobals({ ...this.globals, jest: this.#jest });
    await import(pathToFileURL(path).href);
  }

  setGlobalsForRuntime(globals) {
    this.globals = globals;
  }

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {}
  enterTestCode() {}
  leaveTestCode() {}

  teardown() {
    this.#jest.restoreAllMocks();
    this.#jest.useRealTimers();
  }
}

const prepared = prepare();

async function prepare() {
  const tsx = await import('tsx/esm/api');
  tsx.register();
  // What is registered last is asked first, among its kind: tsx uses the newer kind where there is one.
  if (registerHooks === undefined) register('./resolve.mjs', pathToFileURL(__filename));
  else registerHooks(await import('./resolve.mjs'));
  return import('./globals.mjs');
}

function jestObject({ moduleMocker, fakeTimersModern }) {
  return {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    restoreAllMocks: () => moduleMocker.restoreAllMocks(),
    useFakeTimers: (options) => fakeTimersModern.useFakeTimers(options),
    advanceTimersByTime: (ms) => fakeTimersModern.advanceTimersByTime(ms),
    getTimerCount: () => fakeTimersModern.getTimerCount(),
    useRealTimers: () => fakeTimersModern.useRealTimers(),
  };
}

module.exports = { default: NativeRuntime, __esModule: true };
