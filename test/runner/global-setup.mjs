import { tsImport } from 'tsx/esm/api';

export default async function setup() {
  const { prepareRun } = await tsImport('../helpers/postgres-run.ts', import.meta.url);
  await prepareRun();
}
