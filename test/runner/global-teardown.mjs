import { tsImport } from 'tsx/esm/api';

export default async function teardown() {
  const { endRun } = await tsImport('../helpers/postgres-run.ts', import.meta.url);
  await endRun();
}
