export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' }, experimental: { keepImportAttributes: true } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/sdk/dist/'],
  // The examples of the SDK import it as their readers will.
  moduleNameMapper: { '^@dpa/sdk$': '<rootDir>/sdk/src/index.ts' },
  // One PostgreSQL for the whole run, started when the first test asks for a database.
  globalSetup: '<rootDir>/test/helpers/global-setup.ts',
  globalTeardown: '<rootDir>/test/helpers/global-teardown.ts',
  // One more than cores: some tests wait for a clock or a database.
  maxWorkers: 3,
  testTimeout: 30_000,
};
