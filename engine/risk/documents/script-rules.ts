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
    pattern: /\bNOPASSWD\s{0,3}:|\b\w{1,64}\s{1,5}ALL\s{0,3}=\s{0,3}\(ALL(?::ALL)?\)/,
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
    pattern: /\b(?:trust|scram-sha-256)?\bhost\b[^\n]{0,100}\btrust\s{0,20}$/i,
    level: 'high',
    consequence: 'The database accepts connections without a password',
  },
  {
    pattern: /\b(?:allow|accept|permit)\b[^\n]{0,60}(?:0\.0\.0\.0\/0|::\/0|\ball\b|\bany\b)\s{0,5};?\s{0,20}$/i,
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
  {
    pattern:
      /^\s{0,20}rewrite\s+(?:stop\s+|continue\s+)?name\s+(?:(?:exact|suffix|prefix|substring|regex)\s+)?\S{1,253}\s+(?!\S{0,253}(?:cluster\.local|\.internal|\.svc)\.?(?:\s|$))\S/,
    level: 'high',
    consequence: 'Names are answered with the address of another name',
  },
  {
    pattern:
      /^\s{0,20}(?:(?:forward|proxy)\s+\S{1,253}\s+|nameserver\s+|forward-addr:\s{0,5}|server=\S{0,253}\/|address=\/\S{1,253}\/)(?:(?:tls|dns):\/\/)?(?!(?:10|127|8\.8|1\.1\.1|1\.0\.0|9\.9\.9|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}/,
    level: 'high',
    consequence: 'Names are resolved by a server outside',
  },
  {
    pattern: /^\s{0,20}pass\s+(?:tcp|udp|ip|icmp|http|tls|dns|any)\s+any\s+any\s{0,3}(?:->|<>)\s{0,3}any\s+any\b/,
    level: 'high',
    consequence: 'The inspection of traffic lets everything pass',
  },
  {
    pattern:
      /\bpam_permit\.so\b|\bpam_unix\.so\b[^\n]{0,100}\bnullok\b|\bauth_basic\s+["']?off\b|\bmodsecurity\s+off\b/i,
    level: 'high',
    consequence: 'A login or a firewall lets everyone in',
  },
  {
    pattern:
      /\b(?:using|with\s+check)\s{0,3}\(\s{0,3}(?:true|1\s{0,3}=\s{0,3}1)\s{0,3}\)|\bor\s+(?:true|1\s{0,3}=\s{0,3}1)\b/i,
    level: 'high',
    consequence: 'A filter of rows lets all rows through',
  },
  {
    pattern: /\bmain\s{0,3}=\s{0,3}rule\s{0,3}\{\s{0,3}true\s{0,3}\}/,
    level: 'high',
    consequence: 'A policy allows everything',
  },
  { pattern: /^USER\s+(?:root|0)\b/, level: 'medium', consequence: 'The container runs as root' },
  {
    pattern: /\bverify\s+none\b|\ballowed-origins\/origin\s=\s\*$/,
    level: 'medium',
    consequence: 'Callers or servers are no longer checked',
  },
];
