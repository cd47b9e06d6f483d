import { createServer } from 'node:http';
import { DpaWebhookError, verifyWebhook } from '@dpa/sdk';

const { DPA_WEBHOOK_SECRET = '', PORT = '9000' } = process.env;
const seen = new Set<string>();

export const server = createServer(async (request, response) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    // Several secrets, separated by commas, while a rotation is under way.
    const event = await verifyWebhook(Buffer.concat(chunks), request.headers, DPA_WEBHOOK_SECRET.split(','));
    if (!seen.has(event.id)) console.log(`${event.type}\t${event.org_slug}`);
    seen.add(event.id);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof DpaWebhookError ? 401 : 500).end();
  }
}).listen(Number(PORT), '127.0.0.1');
