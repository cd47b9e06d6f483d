/** The attributes that contain AWS policy documents. */

/** Purpose of a document: permissions of an identity, access to a resource, a bucket or an API, or a guardrail. */
export type Use = 'identity' | 'trust' | 'bucket' | 'invocation' | 'guardrail';

export interface Document {
  types: readonly string[];
  path: string;
  use: Use;
  /** The attribute is always set by the configuration, so an unknown value is a document and not a provider default. */
  hides?: true;
  /** Attributes that name the protected resource, for documents that are separate resources. */
  guards?: readonly string[];
}

export const DOCUMENTS: readonly Document[] = [
  {
    types: ['aws_iam_policy', 'aws_iam_role_policy', 'aws_iam_user_policy', 'aws_iam_group_policy'],
    path: 'policy',
    use: 'identity',
    hides: true,
    guards: ['role', 'user', 'group'],
  },
  { types: ['aws_iot_policy'], path: 'policy', use: 'identity', hides: true },
  { types: ['aws_iam_role'], path: 'inline_policy.*.policy', use: 'identity' },
  {
    types: ['aws_ssoadmin_permission_set_inline_policy'],
    path: 'inline_policy',
    use: 'identity',
    hides: true,
    guards: ['permission_set_arn'],
  },
  { types: ['aws_iam_role'], path: 'assume_role_policy', use: 'trust', hides: true },
  { types: ['aws_s3_bucket_policy'], path: 'policy', use: 'bucket', hides: true, guards: ['bucket'] },
  { types: ['aws_s3_bucket'], path: 'policy', use: 'bucket' },
  {
    types: ['aws_s3_access_point', 'aws_s3control_bucket_policy', 'aws_s3control_access_point_policy'],
    path: 'policy',
    use: 'bucket',
  },
  { types: ['aws_api_gateway_rest_api', 'aws_api_gateway_rest_api_policy'], path: 'policy', use: 'invocation' },
  {
    types: [
      'aws_sqs_queue_policy',
      'aws_sns_topic_policy',
      'aws_kms_key_policy',
      'aws_efs_file_system_policy',
      'aws_dynamodb_resource_policy',
    ],
    path: 'policy',
    use: 'trust',
    hides: true,
    guards: ['queue_url', 'arn', 'key_id', 'file_system_id', 'resource_arn'],
  },
  {
    types: ['aws_ecr_repository_policy', 'aws_ecrpublic_repository_policy', 'aws_secretsmanager_secret_policy'],
    path: 'policy',
    use: 'trust',
    hides: true,
    guards: ['repository', 'repository_name', 'secret_arn'],
  },
  {
    types: [
      'aws_backup_vault_policy',
      'aws_glacier_vault',
      'aws_cloudwatch_event_bus_policy',
      'aws_ses_identity_policy',
      'aws_codebuild_resource_policy',
      'aws_kinesis_resource_policy',
      'aws_glue_resource_policy',
    ],
    path: 'policy',
    use: 'trust',
  },
  {
    types: [
      'aws_ecr_registry_policy',
      'aws_codeartifact_domain_permissions_policy',
      'aws_codeartifact_repository_permissions_policy',
      'aws_acmpca_policy',
    ],
    path: 'policy',
    use: 'trust',
  },
  {
    types: ['aws_sqs_queue', 'aws_sns_topic', 'aws_kms_key', 'aws_kms_external_key', 'aws_kms_replica_key'],
    path: 'policy',
    use: 'trust',
  },
  { types: ['aws_secretsmanager_secret', 'aws_media_store_container_policy'], path: 'policy', use: 'trust' },
  {
    types: [
      'aws_opensearch_domain',
      'aws_elasticsearch_domain',
      'aws_opensearch_domain_policy',
      'aws_elasticsearch_domain_policy',
    ],
    path: 'access_policies',
    use: 'trust',
  },
  { types: ['aws_cloudwatch_log_destination_policy'], path: 'access_policy', use: 'trust', hides: true },
  { types: ['aws_organizations_policy'], path: 'content', use: 'guardrail', hides: true },
];
