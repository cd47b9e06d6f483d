/** The commands that speak to a service: all of them to one, because starting it takes longer than what they do. */
import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { describeCiJobs } from './remote/ci-jobs.ts';
import { describeConnection } from './remote/connection.ts';
import { describeFirstSteps } from './remote/first-steps.ts';
import { describeLogin } from './remote/login.ts';
import { describeSubmit } from './remote/submit.ts';
import { makeRemoteWorld, type RemoteWorld } from './remote/world.ts';

let made: RemoteWorld;
const world = () => made;

beforeAll(async () => {
  // The provider tells developers at length what it assumes.
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {});
  made = await makeRemoteWorld();
});
afterAll(async () => {
  await made.close();
  jest.restoreAllMocks();
});

describe('the connection', () => describeConnection(world));
describe('dpa login', () => describeLogin(world));
describe('the first steps', () => describeFirstSteps(world));
describe('dpa submit', () => describeSubmit(world));
describe('a job of CI without a secret', () => describeCiJobs(world));
