import type { RiskLevel } from '../../model/result.ts';

/** A pattern of a line in a script, command, configuration or query, and what follows from it. */
export interface LineRule {
  pattern: RegExp;
  level: RiskLevel;
  consequence: string;
}

/** What a line does that was not there before. */
export const ADDED: readonly LineRule[] = [
  {
    pattern: /\b(?:curl|wget|fetch)\b[^|;\n]{0,300}\|\s{0,5}(?:sudo\s+(?:-\S+\s+)?)?(?:ba|z|da|k|a)?sh\b/,
    level: 'high',
    consequence: 'Code is downloaded and run without a check',
  },
  {
    pattern: /\b(?:ba|z)?sh\b\s+(?:-c\s+)?["']?(?:<\(|\$\(|`)\s{0,5}(?:curl|wget)\b/,
    level: 'high',
    consequence: 'Code is downloaded and run without a check',
  },
  {
    pattern:
      /\b(?:python[23]?|perl|ruby|node|php)\b\s+-[ce]\b[^\n]{0,200}(?:urlopen|requests\.get|http\.get|https?:\/\/)/,
    level: 'high',
    consequence: 'Code is downloaded and run without a check',
  },
  {
    pattern: /\|\s{0,5}base64\s+(?:-d|-D|--decode)\b[^|\n]{0,80}\|\s{0,5}(?:sudo\s+)?(?:ba|z)?sh\b/,
    level: 'high',
    consequence: 'Hidden code is decoded and run',
  },
  {
    pattern: /\/dev\/(?:tcp|udp)\/|\bnc(?:at)?\b[^\n]{0,80}\s-\S{0,4}e\b|\bsocat\b[^\n]{0,120}\bexec:/i,
    level: 'critical',
    consequence: 'A remote shell is opened',
  },
  {
    pattern: /\bchmod\b\s+(?:-R\s+)?(?:0?777|[aogu]{0,4}\+s|[ug]\+s)\b/,
    level: 'medium',
    consequence: 'Everyone on the host may change the file',
  },
  {
    pattern: /\b(?:setenforce\s+0|SELINUX=(?:disabled|permissive)|aa-(?:disable|complain|teardown)\b)/,
    level: 'high',
    consequence: 'Mandatory access control of the host is turned off',
  },
  {
    pattern:
      /\biptables\b\s+(?:-F|--flush|-P\s+\w+\s+ACCEPT)|\bufw\b\s+(?:--force\s+)?disable|\bnft\b\s+flush\b|systemctl\s+(?:disable|stop|mask)\s+(?:--now\s+)?(?:firewalld|ufw|iptables|nftables)/,
    level: 'high',
    consequence: 'The firewall of the host is turned off',
  },
  {
    pattern:
      /systemctl\s+(?:disable|stop|mask)\s+(?:--now\s+)?(?:auditd|falco|osquery|crowdstrike|falcon-sensor|amazon-ssm-agent|google-osconfig-agent|datadog-agent|filebeat|fluent-?bit|wazuh|rsyslog|unattended-upgrades|clamav)/,
    level: 'high',
    consequence: 'An agent that protects or monitors the host is turned off',
  },
  {
    pattern:
      /\bPermitRootLogin\s+(?:yes|without-password)|\bPasswordAuthentication\s+yes|\bPermitEmptyPasswords\s+yes/i,
    level: 'high',
    consequence: 'The host accepts weaker logins',
  },
  {
    pattern: /\bNOPASSWD\s{0,3}:|%?\w+\s+ALL\s{0,3}=\s{0,3}\(ALL(?::ALL)?\)/,
    level: 'medium',
    consequence: 'An account may become root without a password',
  },
  {
    pattern: /authorized_keys\b/,
    level: 'high',
    consequence: 'Another key may log in to the host',
  },
  {
    pattern:
      /\bdocker\b[^\n]{0,300}(?:--privileged|--cap-add[= ](?:ALL|SYS_ADMIN)|docker\.sock|--pid[= ]host|--net(?:work)?[= ]host)/,
    level: 'high',
    consequence: 'A container gets the rights of its host',
  },
  {
    pattern:
      /(?:curl|wget)\b[^\n]{0,200}\s(?:-k|--insecure|--no-check-certificate)\b|NODE_TLS_REJECT_UNAUTHORIZED\s{0,3}[=:]\s{0,3}["']?0|verify\s{0,3}=\s{0,3}False|InsecureSkipVerify|ssl_verify(?:_client)?\s+off|--disable-ssl|sslmode=disable|PYTHONHTTPSVERIFY=0/i,
    level: 'medium',
    consequence: 'Certificates are no longer verified',
  },
  {
    pattern:
      /\b(?:apt-get|apt|yum|dnf|pip3?|npm|gem)\b[^\n]{0,200}(?:--allow-unauthenticated|--nogpgcheck|--trusted-host|--no-verify|--force-yes)/,
    level: 'medium',
    consequence: 'Packages are installed without a check of their signature',
  },
  {
    pattern:
      /\brm\s+(?:-\S+\s+){0,3}-?-?(?:rf|fr|recursive)\b|\b(?:mkfs(?:\.\w+)?|wipefs|shred)\s|\bdd\s+[^\n]{0,80}of=\/dev\//,
    level: 'medium',
    consequence: 'Files or disks are erased',
  },
  {
    pattern:
      /(?:history\s+-c|unset\s+HISTFILE|HISTFILE=\/dev\/null|HISTSIZE=0|rm\s[^\n]{0,60}\/var\/log|journalctl\s[^\n]{0,40}--vacuum)/,
    level: 'high',
    consequence: 'Traces on the host are erased',
  },
  {
    pattern:
      /\bgrant\s+(?:all(?:\s+privileges)?|ownership|.{0,80}with\s+(?:grant|admin)\s+option|[^\n]{0,200}\bto\s+(?:role\s+)?["`]?public\b)/i,
    level: 'high',
    consequence: 'Broad rights in the database are granted',
  },
  {
    pattern:
      /\bto\s+["`]?(?:role\s+)?(?:public|accountadmin|sysadmin|superuser|rds_superuser)\b|\bsuperuser\b|\bbypassrls\b/i,
    level: 'high',
    consequence: 'Broad rights in the database are granted',
  },
  {
    pattern:
      /\b(?:drop\s+(?:table|schema|database|view|materialized|policy|masking|row\s+access)|truncate\s+(?:table\s+)?\w|disable\s+row\s+level|no\s+force\s+row)\b/i,
    level: 'high',
    consequence: 'Data or a protection of data is dropped',
  },
  {
    pattern:
      /(?:listen_addresses|bind(?:-address)?|host)\s{0,3}[=:]\s{0,3}["']?(?:0\.0\.0\.0|\*|::)(?:["'\s]|$)|\bhost\s+all\s+all\s+(?:0\.0\.0\.0\/0|::\/0|all)\b/i,
    level: 'medium',
    consequence: 'The service accepts connections on all addresses',
  },
  {
    pattern: /\b(?:trust|scram-sha-256)?\bhost\b[^\n]{0,100}\btrust\s*$/i,
    level: 'high',
    consequence: 'The database accepts connections without a password',
  },
  {
    pattern: /\b(?:allow|accept|permit)\b[^\n]{0,60}(?:0\.0\.0\.0\/0|::\/0|\ball\b|\bany\b)\s*;?\s*$/i,
    level: 'high',
    consequence: 'Everyone is allowed',
  },
  {
    pattern: /Access-Control-Allow-Origin["']?\s{0,3}[:,=]?\s{0,3}["']?\*/i,
    level: 'medium',
    consequence: 'Every website may read the answers in the browser of a visitor',
  },
  {
    pattern: /\ballow\s{0,3}(?::=|=|if)?\s{0,3}\{?\s{0,3}true\b|default\s+allow\s{0,3}:?=\s{0,3}true/i,
    level: 'high',
    consequence: 'A policy allows everything',
  },
  {
    pattern: /(?:169\.254\.169\.254|metadata\.google\.internal)/,
    level: 'medium',
    consequence: 'Credentials of the instance are read from its metadata',
  },
];

/**
 * Words of a line that restricts, checks or watches something. When such a line is removed, or replaced by one without
 * the word, the restriction is gone.
 */
export const RESTRICTS: readonly LineRule[] = [
  {
    pattern:
      /\b(?:deny|denied|reject|block(?:ed)?|forbid(?:den)?|drop|raise|throw|abort|exit\s+[1-9]|return\s+(?:4\d\d|5\d\d|false|403|401))\b/i,
    level: 'medium',
    consequence: 'A denial is removed',
  },
  {
    pattern:
      /\b(?:auth\w*|jwt|token|signature|verify|verified|validate\w*|valid|check\w*|assert\w*|require[ds]?|must|mfa|totp|hmac|csrf|captcha)\b|validate-jwt|auth_request|auth_basic/i,
    level: 'medium',
    consequence: 'A check is removed',
  },
  {
    pattern: /\b(?:limit\w*|rate\w*|throttl\w*|quota|max\w{0,20}|timeout|burst)\b|rate-limit|limit_req|limit_conn/i,
    level: 'medium',
    consequence: 'A limit is removed',
  },
  {
    pattern:
      /\b(?:ip-filter|allowlist|whitelist|allowed_\w+|restrict\w*|filter\w*|where|having|policy|masking|row\s+access|tenant\w*|organi[sz]ation_id|account_id)\b/i,
    level: 'medium',
    consequence: 'A filter is removed',
  },
  {
    pattern:
      /\b(?:tls|ssl|https|encrypt\w*|secure|httponly|samesite|hsts|Strict-Transport-Security|Content-Security-Policy|X-Frame-Options|X-Content-Type-Options)\b/i,
    level: 'medium',
    consequence: 'A protection of the connection or its content is removed',
  },
  {
    pattern:
      /\b(?:audit\w*|log(?:ging|ger|s)?|alert\w*|alarm\w*|notify|notification|monitor\w*|backup\w*|snapshot|pg_dump|restic|wal-g|barman)\b/i,
    level: 'medium',
    consequence: 'Logging, alarms or backups are removed',
  },
];
