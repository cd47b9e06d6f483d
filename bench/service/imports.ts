/** The limit of C2: loads the packages of the API process and compiles the contract once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../server/lib/package-root.ts';

await Promise.all([
  import('express'),
  import('helmet'),
  import('knex'),
  import('pg'),
  import('bullmq'),
  import('jose'),
  import('pino'),
  import('prom-client'),
  import('piscina'),
  import('zod'),
]);
const [{ default: express }, { middleware }, { parse }] = await Promise.all([
  import('express'),
  import('express-openapi-validator'),
  import('yaml'),
]);
const apiSpec = parse(readFileSync(join(packageRoot(), 'openapi.yaml'), 'utf8'));
const app = express();
app.use(middleware({ apiSpec, validateResponses: false, validateSecurity: false }));
app.use((_request, response) => {
  response.end();
});
const server = app.listen(0, '127.0.0.1', async () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await fetch(`http://127.0.0.1:${port}/api/v2/openapi.json`);
  process.exit(0);
});
