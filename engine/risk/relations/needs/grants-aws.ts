/** Grants of AWS: who calls functions, sends to queues, writes logs or acts with a role. */
import type { JsonObject } from '../../../model/result.ts';
import { at, list, member, strings, text } from '../../attributes/values.ts';
import { type Index, listNamesIn } from '../neighbors.ts';
import { same } from './grants.ts';
import type { Need } from './types.ts';

interface Trigger {
  /** The service that calls the function. */
  service: string;
  /** The argument that names the function. */
  argument: string;
  read(side: JsonObject): readonly string[];
}

function readTrigger(service: string, argument: string, read?: Trigger['read']): Trigger {
  return { service, argument, read: read ?? ((side) => strings(member(side, argument))) };
}

const TRIGGERS: Readonly<Record<string, Trigger>> = {
  aws_cloudwatch_event_target: readTrigger('events', 'arn'),
  aws_s3_bucket_notification: readTrigger('s3', 'lambda_function', (side) =>
    list(member(side, 'lambda_function')).map((block) => text(member(block, 'lambda_function_arn'))),
  ),
  aws_sns_topic_subscription: readTrigger('sns', 'endpoint'),
  aws_cloudwatch_log_subscription_filter: readTrigger('logs', 'destination_arn'),
  aws_apigatewayv2_integration: readTrigger('apigateway', 'integration_uri'),
  aws_api_gateway_integration: readTrigger('apigateway', 'uri'),
  aws_lb_target_group_attachment: readTrigger('elasticloadbalancing', 'target_id'),
  aws_cognito_user_pool: readTrigger('cognito-idp', 'lambda_config', (side) =>
    Object.values(at(side, 'lambda_config') ?? {}).map(text),
  ),
};
const PERMISSIONS_BY_FUNCTION: Index = {
  types: ['aws_lambda_permission'],
  names: (permission) => [text(member(permission, 'function_name'))],
};

const ROLE_USERS: readonly [policy: RegExp, type: string, attribute: string][] = [
  [/AWSLambda\w{0,40}ExecutionRole$/, 'aws_lambda_function', 'role'],
  [/AmazonEKS(?:ClusterPolicy|ServicePolicy|VPCResourceController)$/, 'aws_eks_cluster', 'role_arn'],
  [
    /AmazonEKS(?:WorkerNodePolicy|_CNI_Policy)$|AmazonEC2ContainerRegistry\w{0,20}$/,
    'aws_eks_node_group',
    'node_role_arn',
  ],
  [/AmazonECSTaskExecutionRolePolicy$/, 'aws_ecs_task_definition', 'execution_role_arn'],
  [/AWSBackupServiceRolePolicyFor\w{0,20}$/, 'aws_backup_selection', 'iam_role_arn'],
  [/AmazonRDSEnhancedMonitoringRole$/, 'aws_db_instance', 'monitoring_role_arn'],
  [/AWS_?ConfigRole$/, 'aws_config_configuration_recorder', 'role_arn'],
  [/AmazonDMS\w{0,40}Role$/, 'aws_dms_replication_instance', 'role_arn'],
];

const ROLE_ARGUMENTS = [...new Set(ROLE_USERS.map(([, , attribute]) => attribute))];
const ATTACHMENTS_BY_ROLE: Index = {
  types: ['aws_iam_role_policy_attachment'],
  names: (attachment) => [text(member(attachment, 'role'))],
};

const LOG_WRITERS: Readonly<Record<string, (side: JsonObject) => string>> = {
  aws_cloudtrail: (side) => text(member(side, 's3_bucket_name')),
  aws_config_delivery_channel: (side) => text(member(side, 's3_bucket_name')),
  aws_lb: (side) => text(at(side, 'access_logs', 'bucket')),
  aws_alb: (side) => text(at(side, 'access_logs', 'bucket')),
};

export const AWS_GRANT_NEEDS: readonly Need[] = [
  {
    types: ['aws_lambda_permission'],
    names: ({ side }) => [text(member(side, 'function_name'))],
    users: {
      types: Object.keys(TRIGGERS),
      names: (trigger, type) => TRIGGERS[type]!.read(trigger).flatMap(listNamesIn),
      reads: Object.values(TRIGGERS).map(({ argument }) => argument),
    },
    looks_up: { aws_lambda_permission: ['principal', 'function_name'] },
    needs: (_, { side, plan }, { type }) => {
      const name = text(member(side, 'function_name'));
      const allows = (permission: JsonObject): boolean =>
        text(member(permission, 'principal')).startsWith(`${TRIGGERS[type]!.service}.`) &&
        text(member(permission, 'function_name')) === name;
      const others = plan.linked(PERMISSIONS_BY_FUNCTION, [name]);
      return allows(side) && !others.some(({ after }) => after !== null && allows(after));
    },
    level: 'high',
    says: 'it may not call the function any more, so its events are lost',
  },
  {
    types: ['aws_sqs_queue_policy'],
    names: ({ side }) => [text(member(side, 'queue_url')).split(/[:/]/).at(-1)!],
    users: {
      types: ['aws_sns_topic_subscription', 'aws_s3_bucket_notification', 'aws_cloudwatch_event_target'],
      names: (sender) =>
        [
          ...strings(member(sender, 'endpoint')),
          ...strings(member(sender, 'arn')),
          ...list(member(sender, 'queue')).map((block) => text(member(block, 'queue_arn'))),
        ].flatMap((arn) => (arn.includes(':sqs:') ? [arn.split(':').at(-1)!] : [])),
      reads: ['endpoint', 'queue'],
    },
    level: 'high',
    says: 'it may not send to the queue any more, so its messages are lost',
  },
  {
    types: ['aws_s3_bucket_policy'],
    names: ({ side }) => [text(member(side, 'bucket'))],
    users: {
      types: Object.keys(LOG_WRITERS),
      names: (writer, type) => [LOG_WRITERS[type]!(writer)],
      reads: ['s3_bucket_name', 'access_logs'],
    },
    level: 'high',
    says: 'it may not write its logs to the bucket any more',
  },
  {
    types: ['aws_iam_role_policy_attachment'],
    names: ({ side }) => [text(member(side, 'role'))],
    users: {
      types: ROLE_USERS.map(([, type]) => type),
      names: (user) => ROLE_ARGUMENTS.flatMap((name) => listNamesIn(member(user, name))),
      reads: ROLE_ARGUMENTS,
    },
    looks_up: { aws_iam_role_policy_attachment: ['role', 'policy_arn'] },
    needs: (user, { side, plan }, { type }) => {
      const [policy, name] = [text(member(side, 'policy_arn')), text(member(side, 'role'))];
      const stays = plan
        .linked(ATTACHMENTS_BY_ROLE, [name])
        .some(({ after }) => after !== null && same(after, side, 'role') && same(after, side, 'policy_arn'));
      const works_with = ROLE_USERS.some(
        ([pattern, used_by, attribute]) =>
          used_by === type && pattern.test(policy) && listNamesIn(member(user, attribute)).includes(name),
      );
      return works_with && !stays;
    },
    level: 'high',
    says: 'its role loses the permissions that the service works with',
  },
];
