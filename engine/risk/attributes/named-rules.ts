import type { RiskLevel } from '../../model/result.ts';
import { VALUE_RULES } from './value-rule-texts.ts';

/** Describes a rule to people who decide whether to turn it off. */
export interface RuleText {
  /** The finding, without a final period. */
  title: string;
  /** The highest level that the rule can assign. */
  level: RiskLevel;
  looks_at: string;
}

/** The attribute rules that have their own id. The rules of a single attribute (`R-ATTR-…`) are in `data/`. */
export const NAMED_RULES: Record<string, RuleText> = {
  'R-CMP-PRIV': {
    title: 'A container or pod gets more privileges on its host',
    level: 'high',
    looks_at: 'Privileged mode, host namespaces, host paths, capabilities and users of containers, pods and tasks.',
  },
  'R-CMP-SCALE0': {
    title: 'Capacity is reduced to zero or by more than half',
    level: 'high',
    looks_at: 'Sizes, replica counts and desired counts of groups, services and deployments.',
  },
  'R-DB-BACKUP': {
    title: 'Backups of a data store are turned off or kept for a shorter time',
    level: 'high',
    looks_at: 'Backup, retention and point-in-time recovery settings of databases, file systems and backup plans.',
  },
  'R-DB-ENGINE': {
    title: 'A database engine changes its major version',
    level: 'high',
    looks_at: 'Engine versions of databases, caches and search domains.',
  },
  'R-DB-MULTIAZ': {
    title: 'A database loses its standby in another zone',
    level: 'medium',
    looks_at: 'Availability settings of databases and caches.',
  },
  'R-DB-PUBLIC': {
    title: 'A database becomes reachable from the internet',
    level: 'critical',
    looks_at: 'Public access settings, authorized networks and firewall rules of databases.',
  },
  'R-DB-SKIPSNAP': {
    title: 'Deleting a database takes no final snapshot',
    level: 'critical',
    looks_at: 'Final snapshot settings of databases.',
  },
  'R-DEL-PROTECT': {
    title: 'Deletion protection is turned off',
    level: 'high',
    looks_at: 'Deletion protection, termination protection, resource locks and forced deletion.',
  },
  'R-DNS-APEX': {
    title: 'A DNS record that a whole domain depends on changes or is deleted',
    level: 'high',
    looks_at: 'DNS records at the zone apex, wildcard records, mail records and name servers.',
  },
  'R-DOC-ADDED': {
    title: 'A script, configuration or query inside an attribute does something dangerous',
    level: 'critical',
    looks_at: 'Lines that documents inside attributes gain: YAML, scripts, server configurations, SQL.',
  },
  'R-DOC-LOST': {
    title: 'A script, configuration or query inside an attribute loses a restriction',
    level: 'medium',
    looks_at: 'Lines that documents inside attributes lose: checks, filters, limits, denials, logging, backups.',
  },
  'R-DST-FOREIGN': {
    title: 'Data, code, traffic or identities go to or come from an owner that the plan did not use',
    level: 'high',
    looks_at:
      'URLs, hosts, accounts, projects, subscriptions, repositories, images and mail addresses in any argument.',
  },
  'R-DOC-SETTING': {
    title: 'A setting in a document or a list of settings becomes weaker or moves to somebody else',
    level: 'high',
    looks_at:
      'Changed leaves of JSON, YAML and INI documents, Helm values, environment variables, annotations, filters.',
  },
  'R-EFF-CAPACITY': {
    title: 'Capacity is reduced',
    level: 'medium',
    looks_at: 'Sizes, counts and limits of capacity that no other rule checks.',
  },
  'R-EFF-DATAPATH': {
    title: 'Data, logs, code or images go to or come from another place',
    level: 'high',
    looks_at: 'Destinations and sources that no other rule checks.',
  },
  'R-EFF-DESTRUCTIVE': {
    title: 'Data can be deleted with less protection',
    level: 'high',
    looks_at: 'Arguments that delete data by their own effect.',
  },
  'R-EFF-DISRUPTIVE': {
    title: 'Running instances can restart or be replaced',
    level: 'medium',
    looks_at: 'Arguments that restart or replace what runs.',
  },
  'R-EFF-ENCRYPTION': {
    title: 'Encryption becomes weaker',
    level: 'high',
    looks_at: 'Encryption settings that no other rule checks.',
  },
  'R-EFF-EXPOSURE': {
    title: 'More callers can reach the resource',
    level: 'high',
    looks_at: 'Network access and visibility that no other rule checks.',
  },
  'R-EFF-GUARD': {
    title: 'A protection becomes weaker or is turned off',
    level: 'high',
    looks_at: 'Locks, approvals, validation and limits that no other rule checks.',
  },
  'R-EFF-IDENTITY': {
    title: 'More identities or permissions are allowed',
    level: 'high',
    looks_at: 'Roles, principals, audiences and sessions that no other rule checks.',
  },
  'R-EFF-OBSERVABILITY': {
    title: 'Less is logged, measured or reported',
    level: 'high',
    looks_at: 'Logs, metrics, alarms and notifications that no other rule checks.',
  },
  'R-EFF-RETENTION': {
    title: 'Data or backups are kept for a shorter time',
    level: 'high',
    looks_at: 'Retention, lifetime and backup settings that no other rule checks.',
  },
  'R-EXP-LIVE': {
    title: 'A resource that is public already loses a protection',
    level: 'critical',
    looks_at: 'What the last scan of a connected cloud account shows of the resource and its security groups.',
  },
  'R-EFF-ROUTING': {
    title: 'Traffic takes another way',
    level: 'medium',
    looks_at: 'Routes, listeners, priorities and DNS settings that no other rule checks.',
  },
  'R-EFF-SCHEDULE': {
    title: 'It runs less often or no longer',
    level: 'medium',
    looks_at: 'Schedules that no other rule checks.',
  },
  'R-EFF-SECRET': {
    title: 'A secret is removed',
    level: 'medium',
    looks_at: 'Secrets that no other rule checks.',
  },
  'R-EFF-VERSION': {
    title: 'An older version is used',
    level: 'medium',
    looks_at: 'Versions that no other rule checks.',
  },
  'R-ENC-KEY': {
    title: 'Data is encrypted with a different key',
    level: 'critical',
    looks_at: 'Encryption keys of storage, databases, queues and secrets.',
  },
  'R-ENC-OFF': {
    title: 'Encryption is turned off, or a key is scheduled for destruction',
    level: 'critical',
    looks_at: 'Encryption settings of storage, databases, queues and volumes, and the state of keys.',
  },
  'R-ENC-ROTATE': {
    title: 'A key is no longer rotated',
    level: 'medium',
    looks_at: 'Rotation settings of encryption keys.',
  },
  'R-IAM-ADMIN': {
    title: 'Grants administrator access',
    level: 'critical',
    looks_at: 'Policies, roles, role assignments and bindings of AWS, Google Cloud, Azure, Kubernetes and others.',
  },
  'R-IAM-AUTHORITATIVE': {
    title: 'Replaces every grant of a resource, including grants made elsewhere',
    level: 'critical',
    looks_at: 'Authoritative policies and bindings, mainly of Google Cloud.',
  },
  'R-IAM-CONDITION': {
    title: 'A restriction of a policy is removed or widened',
    level: 'high',
    looks_at: 'Conditions and deny statements of policies.',
  },
  'R-IAM-KEY': {
    title: 'A long-lived credential is created',
    level: 'medium',
    looks_at: 'Access keys, service account keys and service-specific credentials.',
  },
  'R-IAM-SERVICE': {
    title: 'A policy no longer lets a service deliver',
    level: 'high',
    looks_at: 'Service principals of resource policies and trust policies of AWS.',
  },
  'R-IAM-TRUST': {
    title: 'Access is opened to another account, to everyone or to anonymous callers',
    level: 'critical',
    looks_at: 'Trust policies, sharing settings, identity federation and authentication settings.',
  },
  'R-IAM-WIDE': {
    title: 'Grants broad access, or the right to grant access to others',
    level: 'high',
    looks_at: 'Policies, roles, role assignments, bindings and access policies.',
  },
  'R-IAM-WILDCARD': {
    title: 'A policy uses wildcards for actions or resources',
    level: 'high',
    looks_at: 'Actions and resources of policies, and rules of Kubernetes roles.',
  },
  'R-K8S-POLICY': {
    title: 'A policy of a cluster or its mesh allows or exempts more than before',
    level: 'high',
    looks_at: 'Network policies, authorization policies and admission policies.',
  },
  'R-K8S-PUBLICAPI': {
    title: 'A Kubernetes API becomes reachable from the internet',
    level: 'critical',
    looks_at: 'Endpoint settings and authorized networks of clusters.',
  },
  'R-LOG-OFF': {
    title: 'Audit logging or threat detection is reduced',
    level: 'critical',
    looks_at: 'Audit trails, log sinks, flow logs, diagnostic settings and threat detection.',
  },
  'R-LOG-SILENCE': {
    title: 'Every alert or finding is silenced without an end',
    level: 'high',
    looks_at: 'Suppression, muting and archiving rules, downtimes and maintenance windows.',
  },
  'R-NET-ORDER': {
    title: 'Entries of a list change places, so that another one decides',
    level: 'high',
    looks_at: 'Rules, routes and behaviors inside one resource whose first match decides.',
  },
  'R-NET-EGRESS': {
    title: 'Outgoing traffic to any address is allowed',
    level: 'low',
    looks_at: 'Egress rules of security groups and firewalls.',
  },
  'R-NET-OPEN': {
    title: 'A port becomes reachable from the internet',
    level: 'critical',
    looks_at: 'Ingress rules of security groups, network lists, firewalls and firewall policies.',
  },
  'R-NET-PUBLICIP': {
    title: 'A host gets a public IP address',
    level: 'high',
    looks_at: 'Public address settings of instances, subnets and network interfaces.',
  },
  'R-NET-ROUTE': {
    title: 'A route to the internet is added, or a default route or network link changes',
    level: 'high',
    looks_at: 'Routes and route tables.',
  },
  'R-NET-WIDEN': {
    title: 'A network rule allows more addresses than before',
    level: 'medium',
    looks_at: 'Address ranges of ingress rules that do not cover the whole internet.',
  },
  'R-SEC-IMDS': {
    title: 'The instance metadata service accepts requests without a token',
    level: 'high',
    looks_at: 'Metadata options of instances and launch templates.',
  },
  'R-SEC-SECRETPLAIN': {
    title: 'A secret is written in plain text',
    level: 'high',
    looks_at: 'Environment variables, user data and other settings that are readable without access to secrets.',
  },
  'R-SEC-WAF': {
    title: 'A web application firewall is removed or stops blocking',
    level: 'high',
    looks_at: 'Firewall associations, default actions, rules and modes.',
  },
  'R-STO-EXPIRE': {
    title: 'Stored data is deleted automatically',
    level: 'critical',
    looks_at: 'Lifecycle rules and expiration settings of buckets, images, tables and logs.',
  },
  'R-STO-PUBLIC': {
    title: 'Stored data becomes publicly accessible',
    level: 'critical',
    looks_at: 'Access lists, public access blocks and bucket policies.',
  },
  'R-STO-VERSIONING': {
    title: 'Deleted or overwritten data can no longer be restored',
    level: 'high',
    looks_at: 'Versioning, soft delete, retention and immutability settings of storage.',
  },
  'R-TLS-DOWN': {
    title: 'Older TLS versions are accepted, or TLS is no longer required',
    level: 'high',
    looks_at: 'TLS policies, minimum versions and transport settings.',
  },
  'R-UNKNOWN-WATCHED': {
    title: 'A value that other rules check is unknown until apply',
    level: 'medium',
    looks_at: 'Every attribute that a rule checks.',
  },
  ...VALUE_RULES,
  'R-CDN-CACHED': {
    title: 'An edge cache stores responses that may be meant for one user',
    level: 'high',
    looks_at: 'Cache policies, times and modes of content delivery networks, by the paths that they apply to.',
  },
  'R-IAM-ROLE': {
    title: 'A member, team or group gets a more powerful role',
    level: 'high',
    looks_at: 'Roles, permissions and access levels that are ordered alike everywhere: from viewer to owner.',
  },
  'R-K8S-CONTROLLER': {
    title: 'A label or annotation changes by which a controller protects or exposes an object',
    level: 'high',
    looks_at: 'Labels and annotations of meshes, ingresses, load balancers, admission policies and backups.',
  },
  'R-NET-MATCH': {
    title: 'A rule that allows matches more, or a rule that refuses matches less',
    level: 'high',
    looks_at:
      'Conditions, sources and filters of listener rules, network and authorization policies, and build triggers.',
  },
  'R-REL-FIT': {
    title: 'Arguments no longer fit another resource of the plan, or each other',
    level: 'high',
    looks_at: 'Timeouts, limits, ports, selectors, replicas and retention of resources that depend on each other.',
  },
  'R-REL-NEED': {
    title: 'A resource that stays needs what is deleted',
    level: 'high',
    looks_at: 'Grants of service agents, triggers, associations, destinations of alerts, and hosts of DNS records.',
  },
  'R-TAG-SELECTED': {
    title: 'A tag changes by which the plan grants access, makes backups or filters traffic',
    level: 'high',
    looks_at:
      'Changed tags and labels, and the conditions, selections and firewall rules of the same plan that read them.',
  },
};
