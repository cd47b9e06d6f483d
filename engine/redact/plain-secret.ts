/** Cloud and vault addresses, URLs, and files; credentials in a URL are a known format of their own. */
const ADDRESS =
  /^(?:arn:|projects\/|[a-z][a-z0-9+.-]{1,20}:\/\/|(?:vault|ssm|secretsmanager|sm|env|file|sops|kms|awssm|gcpsm|keyvault|secretref):|ref\+|\.{0,2}\/(?:[a-z0-9_.${}-]{1,64}(?:\/|$)|[A-Za-z][\w.-]{0,63}\/[A-Za-z])|~\/|[A-Za-z]:\\|[\w.-]{1,64}(?:\/[\w.-]{1,64}){0,16}\.(?:pem|key|crt|cer|p12|pfx|jks|txt|json|ya?ml|conf|env|sh)$|[a-z][a-z0-9_.-]{0,63}(?:\/[a-z0-9_.-]{1,64}){1,8}$)/;
/** Variables, template expressions, tags, aliases and attributes of other resources. */
const EXPRESSION =
  /^(?:\$[{(]|\$[A-Za-z_]\w{0,127}$|\$[A-Z_]{2}|\$env:|%[A-Za-z_]\w{0,127}%|%[s({]|\{\{|\{%|[[({<]|!(?:Ref|Sub|GetAtt|Join|ImportValue|secret|vault|Base64|reference|env)\b|[*&]\w{1,64}$|@[\w./-]{0,128}[./]|ENC\[|(?:var|local|data|module|each|self|env|secrets|context|config|settings|process\.env|os\.environ|[a-z]{2,20}_[a-z_]{2,60})\.[A-Za-z_])/;
const CALL = /^[A-Za-z_][\w.:]{0,80}[([]/;
const PLACEHOLDER =
  /^(?:[x*.#_?-]{3,}|\*+|change[-_ ]?(?:me|it|this)!?|replace[-_ ]?(?:me|this|with\b.{0,100})|todo|tbd|fixme|n\/a|your[-_ ].{0,100}|(?:example|placeholder|dummy|insert|enter)(?:[-_ ].{0,100})?|\[?redacted\]?|(?:my)?(?:password|passwd|secret|token))$/i;
const SETTING =
  /^(?:true|false|yes|no|on|off|null|nil|none|undefined|empty|unset|optional|required|enabled?|disabled?|default|auto(?:matic)?|header|query|cookie|body|bearer|basic|plain(?:text)?|string|text|integer|number|boolean|object|any|never|always|ignore|prompt|stdin|file|vault|opaque|generic|sensitive|hidden|masked|managed|external|internal|manual|rotated?|custom|standard|jwt|oauth2?|saml|oidc|scram(?:-sha-\d{1,3})?|md5|trust)$/i;
const SHORT_NUMBER = /^[+-]?\d{1,5}(?:\.\d{1,5})?(?:ms|s|m|h|d)?$/;

/**
 * Whether the value of a secret name is the secret itself. False for an empty text, references, variables, template
 * expressions, file paths, booleans, setting values, numbers of fewer than six digits and obvious placeholders.
 */
export function isPlainSecret(value: string): boolean {
  return (
    value !== '' &&
    !SHORT_NUMBER.test(value) &&
    !SETTING.test(value) &&
    !EXPRESSION.test(value) &&
    !ADDRESS.test(value) &&
    !PLACEHOLDER.test(value)
  );
}

/** Stricter than `isPlainSecret`, for text without quotes: excludes function calls and short words of prose. */
export function isBareSecret(value: string): boolean {
  return (
    (value.length >= 6 || (value.length >= 4 && /[^A-Za-z]/.test(value))) && !CALL.test(value) && isPlainSecret(value)
  );
}

/** Whether a text looks generated: it mixes digits, letters of both cases or symbols inside a word. */
export function isMixed(value: string): boolean {
  return /[0-9]/.test(value)
    ? /[A-Za-z]/.test(value) || value.length >= 6
    : /[a-z][A-Z]|[A-Z]{2}[a-z]|[!@#$%^&*+=?]/.test(value);
}

const GENERATED = /^[A-Za-z0-9+_~=-]{16,1024}$/;

/** Whether a text is one long word of letters in both cases and digits, or of many hexadecimal digits, such as a key. */
export function isGenerated(value: string): boolean {
  if (!GENERATED.test(value)) return false;
  if (/^[0-9a-f]{32,}$/.test(value)) return true;
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && (value.match(/\d/g) ?? []).length >= 2;
}
