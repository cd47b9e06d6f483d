/** Queues and functions: messages must stay hidden and kept for as long as the work on them takes. */
import type { JsonObject } from '../../../model/result.ts';
import { at, member, quantity, text } from '../../attributes/values.ts';
import { type Index, listNames, listNamesIn, type Neighbors } from '../neighbors.ts';
import type { Fit } from './types.ts';

const QUEUE = 'aws_sqs_queue';
const FUNCTION = 'aws_lambda_function';
const MAPPING = 'aws_lambda_event_source_mapping';
const DEFAULT_VISIBILITY = 30;
const DEFAULT_TIMEOUT = 3;
const DEFAULT_RETENTION = 345_600;

const read = (side: JsonObject, name: string, fallback: number): number => quantity(member(side, name)) ?? fallback;

const readMapped = (name: string) => (side: JsonObject) => listNamesIn(member(side, name));
const MAPPINGS_BY_FUNCTION: Index = { types: [MAPPING], names: readMapped('function_name') };

/** The queues whose messages a function gets, in all ways to name them. */
const findQueues = (consumer: JsonObject, _: string, plan: Neighbors): string[] =>
  plan
    .linked(MAPPINGS_BY_FUNCTION, listNames(consumer))
    .flatMap(({ after }) => listNamesIn(member(after, 'event_source_arn')));

/** The dead-letter queue that a queue names. */
const findDeadLetters = (queue: JsonObject): string[] => {
  const policy = text(member(queue, 'redrive_policy'));
  return listNamesIn(/"deadLetterTargetArn"\s{0,5}:\s{0,5}"([^"]{1,2000})"/.exec(policy)?.[1]);
};

/** The scheme and host of a URL. */
const listOrigin = (url: string): string[] => {
  const origin = /^https:\/\/[^/]{1,300}/.exec(url)?.[0];
  return origin === undefined ? [] : [origin];
};
const pushEndpoint = (subscription: JsonObject): string => text(at(subscription, 'push_config', 'push_endpoint'));
const readAddress = (service: JsonObject): string => text(member(service, 'uri')) || text(at(service, 'status', 'url'));

export const QUEUE_FITS: readonly Fit[] = [
  {
    one: { types: [QUEUE], paths: ['visibility_timeout_seconds'], names: listNames },
    other: { types: [FUNCTION], paths: ['timeout'], names: findQueues },
    looks_up: { [MAPPING]: ['event_source_arn'] },
    breaks: (queue, consumer) =>
      read(queue, 'visibility_timeout_seconds', DEFAULT_VISIBILITY) < read(consumer, 'timeout', DEFAULT_TIMEOUT),
    level: 'high',
    says: 'messages come back while the function still works on them, so they are handled twice',
  },
  {
    one: { types: [QUEUE], paths: ['message_retention_seconds'], names: listNames },
    other: { types: [QUEUE], paths: ['message_retention_seconds'], reads: ['redrive_policy'], names: findDeadLetters },
    breaks: (dead_letters, source) =>
      read(dead_letters, 'message_retention_seconds', DEFAULT_RETENTION) <
      read(source, 'message_retention_seconds', DEFAULT_RETENTION),
    level: 'medium',
    says: 'messages keep their age when they fail, so the dead-letter queue deletes them early',
  },
  {
    one: { types: [MAPPING], paths: ['scaling_config'], names: readMapped('function_name') },
    other: { types: [FUNCTION], paths: ['reserved_concurrent_executions'], names: listNames },
    breaks: (mapping, consumer) => {
      const most = quantity(at(mapping, 'scaling_config', 'maximum_concurrency'));
      const reserved = quantity(member(consumer, 'reserved_concurrent_executions')) ?? -1;
      return most !== undefined && reserved >= 0 && most > reserved;
    },
    level: 'medium',
    says: 'the queue starts more calls than the function may run, and messages fail by throttling',
  },
  {
    one: {
      types: ['google_pubsub_subscription'],
      paths: ['ack_deadline_seconds'],
      reads: ['push_config'],
      names: (subscription) => listOrigin(pushEndpoint(subscription)),
    },
    other: {
      types: ['google_cloud_run_service', 'google_cloud_run_v2_service'],
      paths: ['template'],
      reads: ['status'],
      names: (service) => listOrigin(readAddress(service)),
    },
    joins: (subscription, service) => pushEndpoint(subscription).startsWith(readAddress(service)),
    breaks: (subscription, service) => {
      const limit =
        quantity(at(service, 'template', 'timeout')) ?? quantity(at(service, 'template', 'spec', 'timeout_seconds'));
      return limit !== undefined && read(subscription, 'ack_deadline_seconds', 10) < limit;
    },
    level: 'medium',
    says: 'messages are delivered again while the service still works on them',
  },
  {
    one: { types: ['aws_kinesis_stream'], paths: ['retention_period'], names: listNames },
    other: {
      types: [MAPPING],
      paths: ['maximum_record_age_in_seconds'],
      names: readMapped('event_source_arn'),
    },
    breaks: (stream, mapping) => {
      const age = quantity(member(mapping, 'maximum_record_age_in_seconds')) ?? -1;
      return age > 0 && read(stream, 'retention_period', 24) * 3600 < age;
    },
    level: 'medium',
    says: 'records expire before the function gives up on them',
  },
];
