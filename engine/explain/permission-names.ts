/** Values that name an operation of an API, which are shown where the name says that operations stand there. */

const OPERATIONS = new Set(
  `action actions notaction notactions not_actions data_actions not_data_actions permission permissions
  included_permissions excluded_permissions key_permissions certificate_permissions storage_permissions verb verbs
  operation operations method methods allowed_methods privilege privileges capability capabilities event events
  event_types enabled_events scope scopes oauth_scopes`.split(/\s+/),
);
/** Kinds of objects in rules of Kubernetes. */
const KINDS = new Set(['resources', 'kind', 'kinds', 'api_groups', 'apigroups']);

/** `s3:GetObject`, `Microsoft.Web/sites/read`, `storage.objects.get`, `repo:status`, `*` */
const OPERATION = /^(?:\*|[A-Za-z][A-Za-z0-9-]{0,40}(?:[.:/_][A-Za-z0-9*-]{1,40}){0,6}\*?)$/;
const KIND = /^(?:\*|[a-z]{2,19}(?:\/[a-z]{2,19})?|[A-Z][A-Za-z]{1,18})$/;
/** Longer words are known or nothing. */
const LONG_KINDS = new Set(
  `persistentvolumeclaims customresourcedefinitions certificatesigningrequests validatingwebhookconfigurations
  mutatingwebhookconfigurations replicationcontrollers horizontalpodautoscalers clusterrolebindings`.split(/\s+/),
);

/** Whether a text names an operation or a kind, by its form and by the name of its attribute. */
export function isOperation(text: string, name: string | undefined): boolean {
  if (name === undefined) return false;
  const key = name.toLowerCase();
  return (OPERATIONS.has(key) && OPERATION.test(text)) || (KINDS.has(key) && (KIND.test(text) || LONG_KINDS.has(text)));
}
