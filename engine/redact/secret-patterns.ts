/**
 * Formats that identify a text as a secret, independent of its name.
 *
 * Each entry has a cheap hint and the full pattern. Repetitions are bounded and not nested, so matching takes linear
 * time; a lookbehind prevents restarts inside a rejected run.
 */
type SecretPattern = readonly [hint: string, pattern: string];

const START = '(?<![A-Za-z0-9_-])';

const EXACT: readonly SecretPattern[] = [
  // AWS access key ids: long-lived, session, bearer, context
  ['A(?:KIA|SIA|BIA|CCA)', '(?<![A-Za-z0-9])A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])'],
  // Google API key, OAuth client secret and access token
  ['AIza', `${START}AIza[A-Za-z0-9_-]{35}`],
  ['GOCSPX', 'GOCSPX-[A-Za-z0-9_-]{24,40}'],
  ['ya29', `${START}ya29\\.[A-Za-z0-9_-]{20,2048}`],
  // Microsoft Entra client secret
  ['Q~', '(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}'],
  // GitHub, GitLab, npm, PyPI, Docker Hub
  ['gh[pousr]_', `${START}gh[pousr]_[A-Za-z0-9]{36,255}`],
  ['github_pat_', 'github_pat_[A-Za-z0-9_]{22,255}'],
  ['gl[a-z]{2,5}-', `${START}gl(?:pat|dt|rt|ft|cbt|ptt|soat|agent|imt|ffct)-[A-Za-z0-9_-]{20,64}`],
  ['npm_', `${START}npm_[A-Za-z0-9]{36}`],
  ['pypi-', 'pypi-AgE[A-Za-z0-9_-]{50,1024}'],
  ['dckr_pat', 'dckr_pat_[A-Za-z0-9_-]{20,64}'],
  // Slack tokens and webhook addresses
  ['xox|xapp', `${START}(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,255}`],
  ['hooks\\.slack', 'hooks\\.slack\\.com/services/[A-Za-z0-9]{6,16}/[A-Za-z0-9]{6,16}/[A-Za-z0-9]{16,32}'],
  // Stripe, Square, Shopify
  ['[sr]k_|whsec_', '(?<![A-Za-z0-9])(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,128}|whsec_[A-Za-z0-9+/]{24,64})'],
  ['sq0|shp', `${START}(?:sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32})`],
  // OpenAI, Anthropic and others of the kind; Hugging Face
  ['sk-', `${START}sk-(?:(?:proj|ant|svcacct|admin|or)-[A-Za-z0-9_-]{20,255}|[A-Za-z0-9]{32,128}(?![A-Za-z0-9-]))`],
  ['hf_', `${START}hf_[A-Za-z0-9]{34}`],
  // HashiCorp Vault and Terraform Cloud, Pulumi
  ['hv[sbr]\\.', `${START}hv[sbr]\\.[A-Za-z0-9_-]{24,255}`],
  ['atlasv1', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,80}'],
  ['pul-', `${START}pul-[a-f0-9]{40}`],
  // SendGrid, Twilio, Mailgun
  ['SG\\.', `${START}SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}`],
  ['SK[0-9a-f]{2}', `${START}SK[0-9a-f]{32}(?![A-Za-z0-9])`],
  ['key-', `${START}key-[0-9a-f]{32}(?![A-Za-z0-9])`],
  // DigitalOcean, Databricks, New Relic, Grafana, Atlassian, Tailscale, PlanetScale
  ['do[opr]_v1', 'do[opr]_v1_[a-f0-9]{64}'],
  ['dapi', `${START}dapi[0-9a-f]{32}`],
  ['NRAK', 'NRAK-[A-Z0-9]{27}'],
  ['gl(?:sa|c)_', `${START}gl(?:sa|c)_[A-Za-z0-9+/_=-]{32,255}`],
  ['ATATT3', 'ATATT3[A-Za-z0-9_=-]{60,255}'],
  ['tskey-', 'tskey-[a-z]{2,10}-[A-Za-z0-9-]{20,128}'],
  ['pscale_', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_-]{32,64}'],
  // age and PuTTY private keys; PEM: masks everything after the header, because the end may be truncated
  ['AGE-SECRET', 'AGE-SECRET-KEY-1[A-Z0-9]{58}'],
  ['PuTTY-User', 'PuTTY-User-Key-File-\\d[\\s\\S]*'],
  ['-----BEGIN', '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[\\s\\S]*'],
  // JSON Web Tokens
  ['eyJ', `${START}eyJ[A-Za-z0-9_-]{8,4096}\\.[A-Za-z0-9_-]{8,16384}\\.[A-Za-z0-9_-]{0,4096}`],
  // user:password@host in a URL, except template placeholders
  ['://', '://[^\\s/:@?#"\'<>]{0,128}:(?![$*{(<]|\\d{1,5}[?#;,])[^\\s/@"\'<>]{1,256}@'],
  // our own API keys
  ['dpa_', `${START}dpa_[A-Za-z0-9]{42}`],
];

/** Case-insensitive patterns. */
const LOOSE: readonly SecretPattern[] = [
  ['access_?key', 'secret_?access_?key["\'\\s:=]{1,8}[a-z0-9/+]{40}(?![a-z0-9/+])'],
  // Azure storage, service bus and event hub keys; signatures of shared links
  ['accesskey=|accountkey=', '(?:account|sharedaccess)key=[a-z0-9+/]{20,256}={0,2}'],
  ['sig=', '(?:^|[?&;])sig=[a-z0-9%+/_-]{16,256}'],
  // keys of functions
  ['[?&]code=', '[?&]code=[a-z0-9%+/_-]{40,256}={0,2}'],
  // connection strings
  ['passw(?:or)?d=|pwd=', '(?:^|[;?&\\s])(?:password|passwd|pwd)=(?![$*{(<%/;&])[^;&\\s"\']{4,256}'],
];

function compile(patterns: readonly SecretPattern[], part: 0 | 1, flags: string): RegExp {
  return new RegExp(patterns.map((pattern) => pattern[part]).join('|'), flags);
}

const EXACT_HINT = compile(EXACT, 0, '');
const EXACT_PATTERN = compile(EXACT, 1, '');
const EXACT_ALL = compile(EXACT, 1, 'g');
const LOOSE_HINT = compile(LOOSE, 0, 'i');
const LOOSE_PATTERN = compile(LOOSE, 1, 'i');
const LOOSE_ALL = compile(LOOSE, 1, 'gi');
/** Shorter texts can only be URLs or connection strings, which contain `@` or `=`. */
const SHORTEST_KEY = 15;

/**
 * Whether a text contains a known secret format: cloud and vendor keys, private keys in PEM, JSON Web Tokens,
 * `user:password@host`, keys and passwords in connection strings. Linear in the length of the text.
 */
export function holdsSecret(text: string): boolean {
  if (text.length < SHORTEST_KEY && !text.includes('@') && !text.includes('=')) return false;
  return (EXACT_HINT.test(text) && EXACT_PATTERN.test(text)) || (LOOSE_HINT.test(text) && LOOSE_PATTERN.test(text));
}

/** Returns every text of a known secret format, in no particular order. */
export function listSecrets(text: string): string[] {
  if (!holdsSecret(text)) return [];
  return [...(text.match(EXACT_ALL) ?? []), ...(text.match(LOOSE_ALL) ?? [])];
}

/** Replaces every known secret format with `mask`. */
export function maskSecrets(text: string, mask: string): string {
  if (!holdsSecret(text)) return text;
  return text.replace(EXACT_ALL, mask).replace(LOOSE_ALL, mask);
}
