import type { RiskLevel } from '../../model/result.ts';

/** What follows from a line in a script, command, configuration or query. */
export interface LineConsequence {
  level: RiskLevel;
  consequence: string;
}

/** Matches a trimmed line. Simple patterns side by side are linear where one pattern with gaps between its parts is not. */
export interface LineRule extends LineConsequence {
  /** Every one of them is somewhere in the line. */
  all: readonly RegExp[];
  unless?: RegExp;
}

/** What a line does that was not there before. */
export const ADDED: readonly LineRule[] = [
  {
    all: [/NOPASSWD\s{0,3}:\s{0,3}(?:\(\w{1,20}\)\s{0,3})?ALL\b/],
    level: 'high',
    consequence: 'Somebody becomes root without a password',
  },
  {
    all: [/^-{0,2}skip[-_]grant[-_]tables\b/i],
    level: 'critical',
    consequence: 'Anyone who can connect reads and writes all data',
  },
  {
    all: [/^user\s/i, /\+@all\b/i],
    level: 'high',
    consequence: 'A user of the database may run every command',
  },
  {
    all: [/\b(?:curl|wget|fetch)\b/, /\|\s{0,5}(?:sudo\s+(?:-\S+\s+)?)?(?:ba|z|da|k|a)?sh\b/],
    level: 'high',
    consequence: 'Code is downloaded and run without a check',
  },
  {
    all: [/\b(?:ba|z)?sh\b\s+(?:-c\s+)?["']?(?:<\(|\$\(|`)\s{0,5}(?:curl|wget)\b/],
    level: 'high',
    consequence: 'Code is downloaded and run without a check',
  },
  {
    all: [/\b(?:python[23]?|perl|ruby|node|php)\b\s+-[ce]\b/, /urlopen|requests\.get|http\.get|https?:\/\//],
    level: 'high',
    consequence: 'Code is downloaded and run without a check',
  },
  {
    all: [/\|\s{0,5}base64\s+(?:-d|-D|--decode)\b/, /\|\s{0,5}(?:sudo\s+)?(?:ba|z)?sh\b/],
    level: 'high',
    consequence: 'Hidden code is decoded and run',
  },
  {
    all: [/\/dev\/(?:tcp|udp)\//i],
    level: 'critical',
    consequence: 'A remote shell is opened',
  },
  {
    all: [/\bnc(?:at)?\b/i, /\s-[a-z]{0,4}e\b/i],
    level: 'critical',
    consequence: 'A remote shell is opened',
  },
  {
    all: [/\bsocat\b/i, /\bexec:/i],
    level: 'critical',
    consequence: 'A remote shell is opened',
  },
  {
    all: [/\bchmod\b\s+(?:-R\s+)?(?:0?777|[aogu]{0,4}\+s|[ug]\+s)\b/],
    level: 'medium',
    consequence: 'Everyone on the host may change the file',
  },
  {
    all: [/\b(?:setenforce\s+0|SELINUX=(?:disabled|permissive)|aa-(?:disable|complain|teardown)\b)/],
    level: 'high',
    consequence: 'Mandatory access control of the host is turned off',
  },
  {
    all: [
      /\biptables\b\s+(?:-F|--flush|-P\s+\w+\s+ACCEPT)|\bufw\b\s+(?:--force\s+)?disable|\bnft\b\s+flush\b|systemctl\s+(?:disable|stop|mask)\s+(?:--now\s+)?(?:firewalld|ufw|iptables|nftables)/,
    ],
    level: 'high',
    consequence: 'The firewall of the host is turned off',
  },
  {
    all: [
      /systemctl\s+(?:disable|stop|mask)\s+(?:--now\s+)?(?:auditd|falco|osquery|crowdstrike|falcon-sensor|amazon-ssm-agent|google-osconfig-agent|datadog-agent|filebeat|fluent-?bit|wazuh|rsyslog|unattended-upgrades|clamav)/,
    ],
    level: 'high',
    consequence: 'An agent that protects or monitors the host is turned off',
  },
  {
    all: [/\bPermitRootLogin\s+(?:yes|without-password)|\bPasswordAuthentication\s+yes|\bPermitEmptyPasswords\s+yes/i],
    level: 'high',
    consequence: 'The host accepts weaker logins',
  },
  {
    all: [/\bNOPASSWD\s{0,3}:|\b\w{1,64}\s{1,5}ALL\s{0,3}=\s{0,3}\(ALL(?::ALL)?\)/],
    level: 'medium',
    consequence: 'An account may become root without a password',
  },
  {
    all: [/authorized_keys\b/],
    level: 'high',
    consequence: 'Another key may log in to the host',
  },
  {
    all: [
      /\bdocker\b/,
      /--privileged|--cap-add[= ](?:ALL|SYS_ADMIN)|docker\.sock|--pid[= ]host|--net(?:work)?[= ]host/,
    ],
    level: 'high',
    consequence: 'A container gets the rights of its host',
  },
  {
    all: [/(?:curl|wget)\b/i, /\s(?:-k|--insecure|--no-check-certificate)\b/i],
    level: 'medium',
    consequence: 'Certificates are no longer verified',
  },
  {
    all: [
      /NODE_TLS_REJECT_UNAUTHORIZED\s{0,3}[=:]\s{0,3}["']?0|verify\s{0,3}=\s{0,3}False|InsecureSkipVerify|ssl_verify(?:_client)?\s+off|--disable-ssl|sslmode=disable|PYTHONHTTPSVERIFY=0/i,
    ],
    level: 'medium',
    consequence: 'Certificates are no longer verified',
  },
  {
    all: [
      /\b(?:apt-get|apt|yum|dnf|pip3?|npm|gem)\b/,
      /--allow-unauthenticated|--nogpgcheck|--trusted-host|--no-verify|--force-yes/,
    ],
    level: 'medium',
    consequence: 'Packages are installed without a check of their signature',
  },
  {
    all: [/\brm\s/, /\s--?(?:[a-z]{0,3}rf|[a-z]{0,3}fr|recursive)\b/],
    level: 'medium',
    consequence: 'Files or disks are erased',
  },
  {
    all: [/\b(?:mkfs(?:\.\w+)?|wipefs|shred)\s/],
    level: 'medium',
    consequence: 'Files or disks are erased',
  },
  {
    all: [/\bdd\s/, /\bof=\/dev\//],
    level: 'medium',
    consequence: 'Files or disks are erased',
  },
  {
    all: [/history\s+-c|unset\s+HISTFILE|HISTFILE=\/dev\/null|HISTSIZE=0/],
    level: 'high',
    consequence: 'Traces on the host are erased',
  },
  {
    all: [/\brm\s/, /\/var\/log/],
    level: 'high',
    consequence: 'Traces on the host are erased',
  },
  {
    all: [/\bjournalctl\s/, /--vacuum/],
    level: 'high',
    consequence: 'Traces on the host are erased',
  },
  {
    all: [/\bgrant\s/i, /\bgrant\s+(?:all|ownership)\b|\bwith\s+(?:grant|admin)\s+option\b/i],
    level: 'high',
    consequence: 'Broad rights in the database are granted',
  },
  {
    all: [
      /\bto\s+["`]?(?:role\s+)?(?:public|accountadmin|sysadmin|superuser|rds_superuser)\b|\bsuperuser\b|\bbypassrls\b/i,
    ],
    level: 'high',
    consequence: 'Broad rights in the database are granted',
  },
  {
    all: [
      /\b(?:drop\s+(?:table|schema|database|view|materialized|policy|masking|row\s+access)|truncate\s+(?:table\s+)?\w|disable\s+row\s+level|no\s+force\s+row)\b/i,
    ],
    level: 'high',
    consequence: 'Data or a protection of data is dropped',
  },
  {
    all: [
      /(?:listen_addresses|bind(?:-address)?|host)\s{0,3}[=:]\s{0,3}["']?(?:0\.0\.0\.0|\*|::)(?:["'\s]|$)|\bhost\s+all\s+all\s+(?:0\.0\.0\.0\/0|::\/0|all)\b/i,
    ],
    level: 'medium',
    consequence: 'The service accepts connections on all addresses',
  },
  {
    all: [/\bhost(?:ssl)?\s/i, /\btrust$/i],
    level: 'high',
    consequence: 'The database accepts connections without a password',
  },
  {
    all: [/\b(?:allow|accept|permit)\b/i, /(?:0\.0\.0\.0\/0|::\/0|\ball|\bany)\s?;?$/i],
    level: 'high',
    consequence: 'Everyone is allowed',
  },
  {
    all: [/Access-Control-Allow-Origin["']?\s{0,3}[:,=]?\s{0,3}["']?\*/i],
    level: 'medium',
    consequence: 'Every website may read the answers in the browser of a visitor',
  },
  {
    all: [/\ballow\s{0,3}(?::=|=|if)?\s{0,3}\{?\s{0,3}true\b|default\s+allow\s{0,3}:?=\s{0,3}true/i],
    level: 'high',
    consequence: 'A policy allows everything',
  },
  {
    all: [/(?:169\.254\.169\.254|metadata\.google\.internal)/],
    level: 'medium',
    consequence: 'Credentials of the instance are read from its metadata',
  },
  {
    all: [/^rewrite\s/, /\sname\s/],
    unless: /(?:cluster\.local|\.internal|\.svc)\.?$/,
    level: 'high',
    consequence: 'Names are answered with the address of another name',
  },
  {
    all: [/^(?:forward|proxy|nameserver|forward-addr:|server=|address=)/, /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}/],
    unless:
      /(?:^|[^.\d])(?:10|127|8\.8|1\.1\.1|1\.0\.0|9\.9\.9|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.\d/,
    level: 'high',
    consequence: 'Names are resolved by a server outside',
  },
  {
    all: [/(?:^|[\s:=,"'])(?:TLSv1(?:\.[01])?|SSLv[23])(?=[\s;,"']|$)/],
    unless: /\bno[-_]?(?:tls|ssl)/i,
    level: 'medium',
    consequence: 'Connections with an outdated version of TLS are accepted',
  },
  {
    all: [/^autoindex\s+on\b|^Options\s.{0,60}\+?Indexes\b/i],
    level: 'medium',
    consequence: 'Everyone can list the files of a folder',
  },
  {
    all: [/^pass\s+(?:tcp|udp|ip|icmp|http|tls|dns|any)\s+any\s+any\s{0,3}(?:->|<>)\s{0,3}any\s+any\b/],
    level: 'high',
    consequence: 'The inspection of traffic lets everything pass',
  },
  {
    all: [/\bpam_unix\.so\b/i, /\bnullok\b/i],
    level: 'high',
    consequence: 'A login or a firewall lets everyone in',
  },
  {
    all: [/\bpam_permit\.so\b|\bauth_basic\s+["']?off\b|\bmodsecurity\s+off\b/i],
    level: 'high',
    consequence: 'A login or a firewall lets everyone in',
  },
  {
    all: [
      /\b(?:using|with\s+check)\s{0,3}\(\s{0,3}(?:true|1\s{0,3}=\s{0,3}1)\s{0,3}\)|\bor\s+(?:true|1\s{0,3}=\s{0,3}1)\b/i,
    ],
    level: 'high',
    consequence: 'A filter of rows lets all rows through',
  },
  {
    all: [/^satisfy\s+any\b/i],
    level: 'medium',
    consequence: 'One of several conditions is enough for access',
  },
  {
    all: [/\bmain\s{0,3}=\s{0,3}rule\s{0,3}\{\s{0,3}true\s{0,3}\}/],
    level: 'high',
    consequence: 'A policy allows everything',
  },
  {
    all: [/\brequire-(?:signed-tokens|expiration-time|scheme)="false"/],
    level: 'high',
    consequence: 'Tokens are accepted without a signature or an end',
  },
  {
    all: [/\bacl\s{0,3}=\s{0,3}"write"/],
    level: 'critical',
    consequence: 'The holder can give itself all rights',
  },
  {
    all: [/\b(?:operator|keyring|mesh)\s{0,3}=\s{0,3}"write"/],
    level: 'high',
    consequence: 'The holder administers the cluster',
  },
  {
    all: [/\b(?:key|service|node|agent|session|query|event|identity|namespace|partition)_prefix\s{1,5}""/],
    level: 'high',
    consequence: 'The rule is valid for every name',
  },
  {
    all: [/^path\s{1,5}"(?:\*|\+|sys\/\*|auth\/\*|identity\/\*|secret\/\*)"/],
    level: 'high',
    consequence: 'The rule is valid for every path',
  },
  { all: [/^USER\s+(?:root|0)\b/], level: 'medium', consequence: 'The container runs as root' },
  {
    all: [/\bverify\s+none\b|\ballowed-origins\/origin\s=\s\*$/],
    level: 'medium',
    consequence: 'Callers or servers are no longer checked',
  },
];

/** @param line without spaces around it */
export function matchesLine({ all, unless }: LineRule, line: string): boolean {
  for (const pattern of all) if (!pattern.test(line)) return false;
  return unless === undefined || !unless.test(line);
}
