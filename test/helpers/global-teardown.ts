import { endRun } from './postgres-run.ts';

export default endRun;
