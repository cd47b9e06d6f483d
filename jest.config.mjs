export default {
  // Test files are loaded by Node itself: see test/runner/runtime.cjs.
  runtime: '<rootDir>/test/runner/runtime.cjs',
  testEnvironment: '<rootDir>/test/runner/environment.cjs',
  transform: {},
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/sdk/dist/'],
  // One PostgreSQL for the whole run, started when the first test asks for a database.
  globalSetup: '<rootDir>/test/runner/global-setup.mjs',
  globalTeardown: '<rootDir>/test/runner/global-teardown.mjs',
  // One more than cores: some tests wait for a clock or a database.
  maxWorkers: 3,
  // Ends a test that hangs; no test is about how long it takes.
  testTimeout: 300_000,
};
