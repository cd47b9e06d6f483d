/** The commands that call a service. They share one, because starting it takes longer than the commands. */
import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { describeCiJobs } from './remote/ci-jobs.ts';
import { describeConnection } from './remote/connection.ts';
import { describeFirstSteps } from './remote/first-steps.ts';
import { type RemoteFixtures, startRemoteFixtures } from './remote/fixtures.ts';
import { describeLogin } from './remote/login.ts';
import { describeSubmit } from './remote/submit.ts';

let started: RemoteFixtures;
const fixtures = () => started;

beforeAll(async () => {
  // The provider prints long warnings about its defaults.
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {});
  started = await startRemoteFixtures();
});
afterAll(async () => {
  await started.close();
  jest.restoreAllMocks();
});

describe('the connection', () => describeConnection(fixtures));
describe('dpa login', () => describeLogin(fixtures));
describe('the first steps', () => describeFirstSteps(fixtures));
describe('dpa submit', () => describeSubmit(fixtures));
describe('a CI job without a secret', () => describeCiJobs(fixtures));
