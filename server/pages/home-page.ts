import { HtmlPage, renderDocument } from '../contract/html-page.ts';
import { html } from '../lib/html.ts';

/** Public facts about the service. */
export interface ServiceFacts {
  name: string;
  summary: string;
  /** Version of the API. */
  version: string;
  /** Whether the health paths are served at the same address. */
  has_health: boolean;
}

/** The same as `homePage`, for programs. URLs are relative to it. */
export function homeRecord({ name, summary, version, has_health }: ServiceFacts) {
  return {
    name,
    summary,
    version,
    api: 'api/v2',
    docs: 'api/v2/docs',
    openapi: 'api/v2/openapi.json',
    ...(has_health ? { health: { live: 'healthz', ready: 'readyz' } } : {}),
  };
}

/** The page at the root of the service. */
export function homePage({ name, summary, version, has_health }: ServiceFacts): HtmlPage {
  const health = html`
        <li><a href="readyz">Health</a>: whether the service is ready, as JSON</li>`;
  const main = html`
      <h1>${name}</h1>
      <p>${summary}</p>
      <p>This is the API of the service, version ${version}. There is no web application at this address. You can
        read the results of analyses in pull requests, through the API, and on the pages linked in pull requests.</p>
      <ul>
        <li><a href="api/v2/docs">API documentation</a></li>
        <li>The contract: <a href="api/v2/openapi.json">JSON</a>, <a href="api/v2/openapi.yaml">YAML</a></li>${has_health ? health : ''}
      </ul>
      <h2>Getting started</h2>
      <ol>
        <li>Get a credential: an access token of your identity provider, or an API key that an owner or admin of your
          organization makes.</li>
        <li>Check it: <code>GET /api/v2/me</code> with the header <code>Authorization: Bearer …</code>, or
          <code>X-API-Key: …</code> for an API key.</li>
        <li>Submit a plan that <code>terraform show -json</code> wrote: <code>POST /api/v2/orgs/{id}/analyze</code>.</li>
      </ol>`;
  return new HtmlPage(renderDocument(name, main));
}
