import type { RuleText } from './named-rules.ts';

/** The rules about what changed values mean: schedules, lifetimes, limits, thresholds, states. */
export const VALUE_RULES: Record<string, RuleText> = {
  'R-VAL-UNIT': {
    title: 'An amount keeps its digits, but not its unit',
    level: 'high',
    looks_at: 'Durations, sizes and shares.',
  },
  'R-VAL-FAILOPEN': {
    title: 'What a check cannot decide is allowed',
    level: 'high',
    looks_at: 'What happens after an error, a timeout or an unavailable check.',
  },
  'R-VAL-LOSS': {
    title: 'Messages that fail are lost instead of kept',
    level: 'medium',
    looks_at: 'What happens to messages and records that cannot be processed.',
  },
  'R-VAL-APPROVAL': {
    title: 'Fewer people must approve, or people may approve their own changes',
    level: 'high',
    looks_at: 'Numbers of approvers and reviews, switches for approvals by authors, and approvals before deployments.',
  },
  'R-VAL-AVAILABILITY': {
    title: 'All instances may be stopped at once, or none may be evicted',
    level: 'high',
    looks_at: 'Disruption budgets, minimum healthy and maximum unavailable instances.',
  },
  'R-VAL-CACHE': {
    title: 'Responses for one user may be stored and shown to others',
    level: 'high',
    looks_at: 'Cache policies, modes and lifetimes of content delivery networks, with the paths of their rules.',
  },
  'R-VAL-CONDITION': {
    title: 'A condition lets more requests pass, stops fewer, grants more, or leaves more out',
    level: 'high',
    looks_at: 'Conditions of firewall rules, groups, exclusions, alerts and log sinks, compared by what they match.',
  },
  'R-VAL-WORDS': {
    title: 'An argument that no documentation describes moves to a value that protects less',
    level: 'high',
    looks_at: 'The words of arguments and types of private and unknown providers, and the values before and after.',
  },
  'R-VAL-NEW': {
    title: 'A new object of an unknown type grants, hides or publishes too much',
    level: 'high',
    looks_at:
      'New grants, silences, filters, stores, credentials, schedules and routes of private and unknown providers.',
  },
  'R-VAL-VISIBILITY': {
    title: 'More people can see something than before',
    level: 'high',
    looks_at: 'Visibilities of data, dashboards, images and repositories.',
  },
  'R-VAL-ENVIRONMENT': {
    title: 'What belonged to production is replaced by what belongs to another environment',
    level: 'high',
    looks_at: 'Texts that stay the same except for the name of an environment.',
  },
  'R-VAL-GAP': {
    title: 'A rule looks back over less time than passes between two runs',
    level: 'high',
    looks_at: 'Periods and frequencies of alerts, detections and searches.',
  },
  'R-VAL-COMMAND': {
    title: 'A command keeps running but no longer does its work',
    level: 'high',
    looks_at: 'Options of commands that dump, copy, restore or deploy, such as dry runs and dumps without rows.',
  },
  'R-VAL-SELECTION': {
    title: 'A value that selects objects changes only in the case of its letters',
    level: 'high',
    looks_at: 'Tags and labels by which backups, firewalls, monitors and policies select objects.',
  },
  'R-VAL-CLASS': {
    title: 'Data counts as less sensitive than before',
    level: 'medium',
    looks_at: 'Classifications and sensitivities.',
  },
  'R-VAL-KEYSTORE': {
    title: 'Keys move from hardware or a key service to a place where they can be copied',
    level: 'high',
    looks_at: 'Where keys are stored and what protects them.',
  },
  'R-VAL-PROBE': {
    title: 'Errors count as healthy answers',
    level: 'high',
    looks_at: 'Status codes and texts that health checks and monitors expect.',
  },
  'R-VAL-ROLLOUT': {
    title: 'A rollout reaches everything at once, or nothing stops it when it fails',
    level: 'high',
    looks_at: 'Parallelism, pauses and health checks of rollouts, upgrades and patches.',
  },
  'R-VAL-RIGHTS': {
    title: 'A list of rights or accepted algorithms gets longer',
    level: 'critical',
    looks_at: 'Scopes, permissions and verbs of grants, tokens and clients; algorithms of tokens.',
  },
  'R-VAL-WILDCARD': {
    title: 'A part of the name of a caller becomes a wildcard',
    level: 'high',
    looks_at: 'Principals, subjects, repositories and sources that are let in.',
  },
  'R-VAL-LEAP': {
    title: 'An update of a package crosses a major version, or several minor ones',
    level: 'medium',
    looks_at: 'Versions of charts, operators, packages and plugins.',
  },
  'R-VAL-PEERS': {
    title: 'A list of hosts that may be reached, or may be used, gets longer',
    level: 'high',
    looks_at: 'Allow lists of hosts, domains and addresses of any provider.',
  },
  'R-VAL-EXCLUDE': {
    title: 'An exclusion covers everything, or a sample covers nothing',
    level: 'high',
    looks_at: 'Lists of what a check, a backup or a log leaves out, and shares of what is recorded.',
  },
  'R-VAL-PARAMETER': {
    title: 'A parameter of a database, cache or broker gets a risky value',
    level: 'high',
    looks_at: 'Pairs of name and value, such as parameters, flags, options and settings of topics.',
  },
  'R-VAL-RANGE': {
    title: 'A list of allowed addresses gains a large part of the internet',
    level: 'high',
    looks_at: 'Address ranges in lists of sources, and in lists of addresses that are refused.',
  },
  'R-VAL-CONSISTENCY': {
    title: 'Readers can get older or half-written data',
    level: 'medium',
    looks_at: 'Consistency levels and isolation levels.',
  },
  'R-VAL-COPIES': {
    title: 'Fewer copies or backups of data exist',
    level: 'high',
    looks_at: 'Quorums, copies that must confirm a write, and numbers of backups that are kept.',
  },
  'R-VAL-DELETION': {
    title: 'Data is deleted together with what uses it',
    level: 'medium',
    looks_at: 'Reclaim, deletion and retention policies of volumes, databases and stacks.',
  },
  'R-VAL-DNSTTL': {
    title: 'DNS answers stay cached for days',
    level: 'medium',
    looks_at: 'Times to live of DNS records.',
  },
  'R-VAL-DOWNGRADE': {
    title: 'An older version of software is used',
    level: 'high',
    looks_at: 'Versions of engines, runtimes, clusters and charts.',
  },
  'R-VAL-DURABILITY': {
    title: 'Confirmed data can be lost in a failure',
    level: 'medium',
    looks_at: 'Acknowledgements of replicas, write concerns and synchronous commits.',
  },
  'R-VAL-FORWARD': {
    title: 'Mail is sent on to a mailbox of another domain',
    level: 'high',
    looks_at: 'Addresses to which mail is forwarded, redirected or copied.',
  },
  'R-VAL-LISTEN': {
    title: 'A program listens on all addresses instead of only those of its own host',
    level: 'high',
    looks_at: 'Addresses to which programs and published ports are bound.',
  },
  'R-VAL-ENDLESS': {
    title: 'Something that stopped or expired has no end any more',
    level: 'medium',
    looks_at: 'Lifetimes of tokens and sessions, and times after which idle resources stop.',
  },
  'R-VAL-EVICTION': {
    title: 'Data is evicted when memory is short',
    level: 'medium',
    looks_at: 'Eviction policies of caches and key-value stores.',
  },
  'R-VAL-FACTOR': {
    title: 'One factor is enough to sign in',
    level: 'high',
    looks_at: 'Factor modes of sign-on policies.',
  },
  'R-VAL-FAILCLOSED': {
    title: 'An admission webhook refuses requests when it does not answer',
    level: 'high',
    looks_at: 'Failure policies of admission webhooks, with their selectors.',
  },
  'R-VAL-FILTER': {
    title: 'A filter of events lets fewer or no events through',
    level: 'high',
    looks_at: 'Event patterns, filter policies and filter criteria in JSON.',
  },
  'R-VAL-LIFETIME': {
    title: 'Existing data expires because its lifetime becomes short',
    level: 'critical',
    looks_at: 'Retention, expiration and time to live of tables, topics, queues, buckets and logs.',
  },
  'R-VAL-LIMIT': {
    title: 'A limit stops everything, or no longer limits anything',
    level: 'high',
    looks_at: 'Quotas, concurrency, capacity, daily caps and limits of amounts.',
  },
  'R-VAL-MAINTENANCE': {
    title: 'Maintenance may happen while people work',
    level: 'medium',
    looks_at: 'Days and hours of maintenance windows and of automatic upgrades.',
  },
  'R-VAL-MODE': {
    title: 'A protection only reports, or lets through, what it refused',
    level: 'high',
    looks_at: 'Modes and actions of policies, firewalls and checks: enforce, monitor, off.',
  },
  'R-VAL-MUTED': {
    title: 'Alerts reach nobody',
    level: 'high',
    looks_at: 'Switches that mute or suppress, incidents that close by themselves, and receivers that nobody reads.',
  },
  'R-VAL-NODATA': {
    title: 'An alarm stays silent when no data arrives',
    level: 'high',
    looks_at: 'What alarms do about missing data.',
  },
  'R-VAL-GRADE': {
    title: 'A lower grade of protection is accepted',
    level: 'high',
    looks_at: 'Numbered grades that are a lower bound, such as `AAL3` and `TLSv1.2`, and how strictly TLS is demanded.',
  },
  'R-VAL-MAIL': {
    title: 'Others can send mail in the name of a domain',
    level: 'high',
    looks_at: 'SPF and DMARC policies in any argument.',
  },
  'R-VAL-NOTIFIED': {
    title: 'Nobody is called out any more',
    level: 'high',
    looks_at: 'People and services that the text of a monitor mentions.',
  },
  'R-VAL-OFF': {
    title: 'A backup, an alarm or a check no longer runs',
    level: 'high',
    looks_at: 'States of schedules, rules, jobs, alarms and feature flags.',
  },
  'R-VAL-PATTERN': {
    title: 'More is allowed, dropped or refused than before',
    level: 'high',
    looks_at: 'Patterns where a policy says what is allowed, dropped or refused.',
  },
  'R-VAL-PROCESSING': {
    title: 'Messages can be processed more than once',
    level: 'medium',
    looks_at: 'Visibility timeouts, acknowledgement deadlines and lock durations of queues.',
  },
  'R-VAL-QUANTITY': {
    title: 'Memory or processor time is cut to a quarter or less, or nothing can start',
    level: 'high',
    looks_at: 'Kubernetes quantities of memory, storage and processors.',
  },
  'R-VAL-SCHEDULE': {
    title: 'Something runs never, once, or at a very different rate',
    level: 'high',
    looks_at: 'Cron expressions, rates, calendars and recurrence rules.',
  },
  'R-VAL-THRESHOLD': {
    title: 'An alarm can never fire, always fires, or fires much later',
    level: 'high',
    looks_at: 'Thresholds and comparison operators of alarms, with the scale of their metric.',
  },
  'R-VAL-TIER': {
    title: 'A lower tier has fewer guarantees and protections',
    level: 'medium',
    looks_at: 'Tiers, plans and editions of services.',
  },
  'R-VAL-TRIGGER': {
    title: 'Anyone who can send an event runs a build',
    level: 'high',
    looks_at: 'Filters of build triggers by the sender of an event.',
  },
  'R-VAL-URGENCY': {
    title: 'Incidents are handled with a lower urgency',
    level: 'medium',
    looks_at: 'Urgencies of incidents and notification rules.',
  },
};
