/** Stamps of runs in tags, labels and annotations. */
import { noise, twin, unchanged } from './build-case.ts';

const tags = (key: string, value: string) => ({ tags: { team: 'core', [key]: value } });
const annotated = (key: string, value: string) => ({ metadata: [{ name: 'a', annotations: { [key]: value } }] });
const labeled = (key: string, value: string) => ({ metadata: [{ name: 'a', labels: { [key]: value } }] });
const [SHA, OTHER_SHA] = ['4f2c1d9', 'a81b77c'];
const [FULL, OTHER_FULL] = ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', '60303ae22b998861bce3b28f33eec1be758a213c'];
const [MAY_1, MAY_2] = ['2026-05-01T08:11:02Z', '2026-05-02T10:42:19Z'];

export const STAMP_CASES = [
  noise(
    'number of the pipeline run',
    'azurerm_resource_group',
    tags('pipeline_run', '8812'),
    tags('pipeline_run', '8859'),
  ),
  noise(
    'build number in an annotation',
    'kubernetes_config_map_v1',
    annotated('ci.acme.example/build', '4411'),
    annotated('ci.acme.example/build', '4460'),
  ),
  noise(
    'time of the build in an annotation',
    'kubernetes_secret_v1',
    annotated('ci.acme.example/built-at', MAY_1),
    annotated('ci.acme.example/built-at', MAY_2),
  ),
  noise('short commit hash', 'aws_sns_topic', tags('git-sha', SHA), tags('git-sha', OTHER_SHA)),
  noise(
    'long commit hash in camel case',
    'aws_lb_target_group',
    tags('GitCommit', FULL),
    tags('GitCommit', OTHER_FULL),
  ),
  noise(
    'time of the last deployment',
    'azurerm_storage_account',
    tags('last_deployed', MAY_1),
    tags('last_deployed', MAY_2),
  ),
  noise(
    'time that is known after apply',
    'aws_sqs_queue',
    tags('deployed_at', MAY_1),
    { tags: { team: 'core' } },
    { unknown: { tags: { deployed_at: true } } },
  ),
  noise(
    'revision that only describes',
    'kubernetes_service_v1',
    labeled('app.kubernetes.io/revision', '118'),
    labeled('app.kubernetes.io/revision', '119'),
  ),
  noise(
    'number of the run, with its merged map',
    'aws_cloudwatch_log_group',
    { tags: { run: '41' }, tags_all: { run: '41', env: 'prod' } },
    { tags: { run: '42' }, tags_all: { run: '42', env: 'prod' } },
  ),
  noise(
    'labels in the format of Google',
    'google_pubsub_topic',
    {
      labels: { build_date: '2026-05-01' },
      effective_labels: { build_date: '2026-05-01' },
      terraform_labels: { build_date: '2026-05-01' },
    },
    {
      labels: { build_date: '2026-05-02' },
      effective_labels: { build_date: '2026-05-02' },
      terraform_labels: { build_date: '2026-05-02' },
    },
  ),
  noise(
    'stamp of an unknown provider',
    'acme_queue',
    { labels: { workflow_run_id: '17004511' } },
    { labels: { workflow_run_id: '17009022' } },
  ),
  noise(
    'manifest and the object that it describes',
    'kubernetes_manifest',
    {
      manifest: { kind: 'ConfigMap', metadata: { annotations: { 'deploy.acme.example/commit': FULL } } },
      object: { kind: 'ConfigMap', metadata: { annotations: { 'deploy.acme.example/commit': FULL } } },
    },
    {
      manifest: { kind: 'ConfigMap', metadata: { annotations: { 'deploy.acme.example/commit': OTHER_FULL } } },
      object: { kind: 'ConfigMap', metadata: { annotations: { 'deploy.acme.example/commit': OTHER_FULL } } },
    },
  ),
  noise('stamp that other resources also have', 'aws_sns_topic', tags('git_sha', SHA), tags('git_sha', OTHER_SHA), {
    others: [
      unchanged('aws_sqs_queue', { tags: { git_sha: SHA }, name: 'git-mirror' }),
      unchanged('aws_autoscaling_group', { tag: [{ key: 'git_sha', value: SHA, propagate_at_launch: true }] }),
    ],
  }),

  twin('a version that is deployed, not a run', 'aws_instance', tags('image_tag', '4411'), tags('image_tag', '4460')),
  twin('turns off backups', 'aws_db_instance', tags('backup', 'true'), tags('backup', 'false')),
  twin('names who pays', 'aws_sns_topic', tags('cost_build', '4411'), tags('cost_build', '4460')),
  twin('names who owns it', 'azurerm_resource_group', tags('pipeline_owner', '4411'), tags('pipeline_owner', '4460')),
  twin(
    'a deadline after which a janitor deletes it',
    'aws_instance',
    tags('expires_at', MAY_1),
    tags('expires_at', MAY_2),
  ),
  twin('an instruction for a scheduler', 'acme_job', { labels: { next_run: MAY_1 } }, { labels: { next_run: MAY_2 } }),
  twin('a stamp that is new', 'aws_sns_topic', { tags: { team: 'core' } }, tags('git_sha', SHA)),
  twin('a stamp that is removed', 'aws_sns_topic', tags('git_sha', SHA), { tags: { team: 'core' } }),
  twin('an older build', 'azurerm_resource_group', tags('build', '4460'), tags('build', '4411')),
  twin('a branch instead of a commit', 'aws_sns_topic', tags('commit', SHA), tags('commit', 'main')),
  twin(
    'the commit is what the pods run: an annotation of their template restarts them',
    'kubernetes_deployment_v1',
    { spec: [{ template: [{ metadata: [{ annotations: { git_sha: SHA } }] }] }] },
    { spec: [{ template: [{ metadata: [{ annotations: { git_sha: OTHER_SHA } }] }] }] },
  ),
  twin('a service selects pods by it', 'kubernetes_pod_v1', labeled('build', '4411'), labeled('build', '4460'), {
    others: [unchanged('kubernetes_service_v1', { spec: [{ selector: { build: '4411' } }] })],
  }),
  twin(
    'a network policy selects pods by it',
    'kubernetes_pod_v1',
    labeled('git_sha', SHA),
    labeled('git_sha', OTHER_SHA),
    {
      others: [
        unchanged('kubernetes_network_policy_v1', {
          spec: [{ pod_selector: [{ match_expressions: [{ key: 'git_sha', operator: 'In', values: [SHA] }] }] }],
        }),
      ],
    },
  ),
  twin('a policy grants access by it', 'aws_s3_bucket', tags('pipeline_run', '8812'), tags('pipeline_run', '8859'), {
    others: [
      unchanged('aws_iam_policy', {
        policy:
          '{"Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*","Condition":{"StringEquals":{"aws:ResourceTag/pipeline_run":"8812"}}}]}',
      }),
    ],
  }),
  twin('a script of a launch template reads it', 'aws_s3_bucket', tags('git_sha', SHA), tags('git_sha', OTHER_SHA), {
    others: [
      unchanged('aws_launch_template', {
        user_data: Buffer.from('#!/bin/sh\naws s3api get-bucket-tagging | jq .git_sha > /etc/version\n').toString(
          'base64',
        ),
      }),
    ],
  }),
  twin(
    'programs on the machine can read its tags',
    'aws_instance',
    { ...tags('build', '4411'), metadata_options: [{ instance_metadata_tags: 'enabled' }] },
    { ...tags('build', '4460'), metadata_options: [{ instance_metadata_tags: 'enabled' }] },
  ),
  twin(
    'a data source finds the resource by it',
    'aws_ami_copy',
    tags('commit_sha', SHA),
    tags('commit_sha', OTHER_SHA),
    {
      others: [unchanged('aws_ami', { tags: { commit_sha: SHA } }, 'data')],
    },
  ),
  twin(
    'an expression of the configuration reads it',
    'aws_sns_topic',
    tags('git_sha', SHA),
    tags('git_sha', OTHER_SHA),
    {
      members: { relevant_attributes: [{ resource: 'aws_sns_topic.subject', attribute: ['tags', 'git_sha'] }] },
    },
  ),
  twin(
    'metrics are grouped by it',
    'kubernetes_config_map_v1',
    labeled('ci.acme.example/build', '4411'),
    labeled('ci.acme.example/build', '4460'),
    {
      others: [unchanged('grafana_dashboard', { config_json: '{"expr":"sum by (label_ci_acme_example_build) (up)"}' })],
    },
  ),
  twin(
    'an admission policy requires it',
    'kubernetes_config_map_v1',
    annotated('git_sha', SHA),
    annotated('git_sha', OTHER_SHA),
    {
      others: [
        unchanged('kubernetes_manifest', {
          manifest: {
            kind: 'ClusterPolicy',
            spec: { rules: [{ validate: { pattern: { metadata: { annotations: { git_sha: '?*' } } } } }] },
          },
        }),
      ],
    },
  ),
  twin(
    'the mesh of the pods follows it',
    'kubernetes_namespace_v1',
    labeled('istio.io/rev', '118'),
    labeled('istio.io/rev', '119'),
  ),
  twin(
    'a controller keeps its own count',
    'kubernetes_deployment_v1',
    annotated('deployment.kubernetes.io/revision', '118'),
    annotated('deployment.kubernetes.io/revision', '119'),
  ),
  twin(
    'labels of an alert decide who is called',
    'mimir_rule_group_alerting',
    { labels: { build: '4411' } },
    { labels: { build: '4460' } },
  ),
  twin('something else changes, too', 'azurerm_resource_group', tags('pipeline_run', '8812'), {
    tags: { team: 'edge', pipeline_run: '8859' },
  }),
  twin(
    'an identity of the machine becomes unknown, too',
    'aws_instance',
    { ...tags('build', '4411'), public_ip: '198.51.100.7' },
    tags('build', '4460'),
    { unknown: { public_ip: true } },
  ),
];
