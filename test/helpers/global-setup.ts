import { prepareRun } from './postgres-run.ts';

export default prepareRun;
