import { builtinCatalog, type Catalog, type CatalogProvider, ENGINE_VERSION } from '../../../engine/index.ts';
import { JsonText } from '../../contract/json-text.ts';
import type { Handlers } from '../../contract/operation.ts';

/** The catalog does not change while a release runs, so each text is created once, on first use; not those of types. */
export function catalogRoutes(): Pick<Handlers, 'getBuiltinRules'> {
  const texts = new Map<CatalogProvider | null, JsonText<Catalog>>();

  function loadText(provider: CatalogProvider | null): JsonText<Catalog> {
    const known = texts.get(provider);
    if (known !== undefined) return known;
    const text = new JsonText<Catalog>(JSON.stringify(builtinCatalog(provider)));
    texts.set(provider, text);
    return text;
  }

  return {
    async getBuiltinRules({ query }) {
      const { provider = null, resource_type } = query;
      const body = resource_type === undefined ? loadText(provider) : builtinCatalog(provider, resource_type);
      return { status: 200, body, headers: { 'X-Catalog-Version': ENGINE_VERSION } };
    },
  };
}
