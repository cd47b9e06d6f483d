import type { LineConsequence } from './script-rules.ts';

export interface Restriction extends LineConsequence {
  pattern: RegExp;
}

/** Commands of a pipeline that test or scan. In the tree of a document, only these say that a lost line is a restriction. */
export const CHECK_COMMANDS: Restriction = {
  pattern:
    /\b(?:(?:npm|yarn|pnpm|go|cargo|mvn|gradlew?|dotnet|make|tox|composer|bundle|mix|sbt|bazel|terraform|opa)\s(?:run\s|exec\s)?(?:test|lint|audit|vet|verify|check|validate)|pytest|jest|phpunit|rspec|golangci-lint|eslint|trivy|grype|snyk|checkov|tfsec|tflint|semgrep|gitleaks|trufflehog|sonar-scanner|conftest|bandit|pip-audit|cosign\sverify|kubeconform|hadolint|safety\scheck)\b/gi,
  level: 'medium',
  consequence: 'A test or scan no longer runs',
};

/**
 * Words of a line that restricts, checks or watches something. When such a line is removed, or replaced by one with fewer
 * of these words, the restriction is gone. The patterns are global, because their matches are counted.
 */
export const RESTRICTS: readonly Restriction[] = [
  {
    pattern:
      /\b(?:validate-jwt|auth_request|auth_jwt|auth_basic|jwt_verify|verify_jwt|authenticat(?:e|ed|ion)|require_auth|ssl_verify_client|validate-azure-ad-token)\b/gi,
    level: 'high',
    consequence: 'Callers no longer have to authenticate',
  },
  {
    pattern:
      /\b(?:current_(?:user|role|tenant|account|setting)|session_(?:user|region|role)|is_member|is_account_group_member|suser_s?name|is_rolemember)\s{0,3}\(/gi,
    level: 'high',
    consequence: 'A filter that shows everybody only their own rows is removed',
  },
  {
    pattern:
      /\b(?:sha(?:1|256|384|512)sum\s{1,5}(?:-c|--check)|gpgv?\s{1,5}--verify|minisign\s{1,5}-V|openssl\s{1,5}dgst\s[^|\n]{0,200}-verify)\b/gi,
    level: 'medium',
    consequence: 'What is downloaded is no longer checked',
  },
  {
    pattern: /\b(?:starts_?with|ends_?with|has_?prefix|has_?suffix)\b/gi,
    level: 'high',
    consequence: 'A comparison of a beginning or an end is gone, so more passes it',
  },
  {
    pattern: /\b(?:set-cookie|proxy_no_cache|proxy_cache_bypass|req\.http\.(?:cookie|authorization))\b/gi,
    level: 'high',
    consequence: 'Responses for one user may be stored and shown to others',
  },
  {
    pattern: /'[*x#]{2,40}[^'\n]{0,40}'|\b(?:sha2|sha256|sha512|md5|regexp_replace|mask\w{0,20})\s{0,3}\(/gi,
    level: 'high',
    consequence: 'Values are no longer masked',
  },
  {
    pattern:
      /\b(?:deny|denied|reject|block(?:ed)?|forbid(?:den)?|drop|raise|throw|abort|exit\s+[1-9]|status(?:code)?\s{0,3}[:=]\s{0,3}40[13]|return\s+(?:4\d\d|5\d\d|false))\b/gi,
    level: 'medium',
    consequence: 'A denial is removed',
  },
  {
    pattern:
      /\b(?:auth\w{0,40}|jwt|token|signature|verify|verified|validate\w{0,40}|valid|check\w{0,40}|assert\w{0,40}|require[ds]?|must|mfa|totp|hmac|csrf|captcha|audiences?|issuers?)\b/gi,
    level: 'medium',
    consequence: 'A check is removed',
  },
  {
    pattern:
      /\b(?:input|request|claims?|token|user|principal|subject)\.[\w.]{0,60}(?:role|group|scope|permission|owner|tenant|email|issuer|admin|verified)\w{0,20}\s{0,3}(?:==|!=|in\b)/gi,
    level: 'medium',
    consequence: 'A condition about who asks is removed',
  },
  CHECK_COMMANDS,
  {
    pattern:
      /\b(?:auditd|falco|osquery\w{0,5}|crowdstrike|falcon-sensor|wazuh\S{0,10}|clamav|fail2ban|aide|sentinelone|auditbeat)\b/gi,
    level: 'high',
    consequence: 'An agent that protects or monitors the host is no longer installed or run',
  },
  {
    pattern: /(?:^|\s)set\s{1,3}-[a-z]{0,5}e[a-z]{0,5}\b|\berrexit\b/g,
    level: 'medium',
    consequence: 'The script goes on after a step that failed',
  },
  {
    pattern: /^[/*][/*.\w-]{0,200}\s{1,20}@[\w-]{1,60}(?:\/[\w-]{1,60})?(?:\s{1,5}@[\w/-]{1,120}){0,20}$/g,
    level: 'medium',
    consequence: 'Nobody in particular must review these files any more',
  },
  {
    pattern: /\b(?:limit\w{0,40}|rate\w{0,40}|throttl\w{0,40}|quota|max\w{0,20}|timeout|burst)\b/gi,
    level: 'medium',
    consequence: 'A limit is removed',
  },
  {
    pattern:
      /\b(?:ip-filter|allowlist|whitelist|allowed_\w{1,40}|allowusers|allowgroups|denyusers|restrict\w{0,40}|filter\w{0,40}|where|having|policy|masking|row\s+access|tenant\w{0,40}|organi[sz]ation_id|account_id)\b/gi,
    level: 'medium',
    consequence: 'A filter is removed',
  },
  {
    pattern:
      /\b(?:tls|ssl|https|hostssl|encrypt\w{0,40}|secure|httponly|samesite|hsts|Strict-Transport-Security|Content-Security-Policy|X-Frame-Options|X-Content-Type-Options)\b/gi,
    level: 'medium',
    consequence: 'A protection of the connection or its content is removed',
  },
  {
    pattern:
      /\b(?:audit\w{0,40}|log(?:ging|ger|s)?|alert\w{0,40}|alarm\w{0,40}|notify|notification|monitor\w{0,40}|backup\w{0,40}|snapshot|pg_dump|restic|wal-g|barman)\b/gi,
    level: 'medium',
    consequence: 'Logging, alarms or backups are removed',
  },
];
