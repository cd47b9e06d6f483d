/** Labels and tags that a provider adds to the merged maps of a resource. */
import { noise, twin, unchanged } from './build-case.ts';

const merged = (labels: object, own: object = {}) => ({
  labels: own,
  effective_labels: labels,
  terraform_labels: labels,
});
const ATTRIBUTION = { 'goog-terraform-provisioned': 'true' };

export const MERGED_LABEL_CASES = [
  noise('attribution of a newer provider', 'google_storage_bucket', merged({}), merged(ATTRIBUTION)),
  noise(
    'attribution beside own labels',
    'google_pubsub_topic',
    merged({ team: 'web' }, { team: 'web' }),
    merged({ team: 'web', ...ATTRIBUTION }, { team: 'web' }),
  ),
  noise('attribution turned off', 'google_bigquery_dataset', merged(ATTRIBUTION), merged({})),
  noise(
    'attribution in one of the maps',
    'google_secret_manager_secret',
    { effective_labels: {} },
    { effective_labels: ATTRIBUTION },
  ),
  noise(
    'attribution and a new tag of the version',
    'google_compute_disk',
    { ...merged({}), label_fingerprint: '42WmSpB8rSM=' },
    merged(ATTRIBUTION),
    { unknown: { label_fingerprint: true } },
  ),
  noise(
    'a label that moves to the defaults',
    'google_pubsub_topic',
    merged({ team: 'web' }, { team: 'web' }),
    merged({ team: 'web' }),
  ),
  noise(
    'a tag that moves to the defaults',
    'aws_sns_topic',
    { tags: { team: 'web' }, tags_all: { team: 'web' } },
    { tags: {}, tags_all: { team: 'web' } },
  ),
  noise(
    'a stamp in the default tags',
    'aws_sqs_queue',
    { tags: {}, tags_all: { build_number: '4411' } },
    { tags: {}, tags_all: { build_number: '4460' } },
  ),

  twin(
    'attribution with another value',
    'google_storage_bucket',
    merged(ATTRIBUTION),
    merged({ 'goog-terraform-provisioned': 'false' }),
  ),
  twin(
    'a label by which an agent is installed',
    'google_compute_instance',
    merged({}),
    merged({ 'goog-ops-agent-policy': 'v2-x86' }),
  ),
  twin('a label of the organization', 'google_storage_bucket', merged({}), merged({ team: 'web' }, { team: 'web' })),
  twin(
    'a default label of the organization',
    'google_storage_bucket',
    merged({}),
    merged({ 'terraform-provisioned': 'true' }),
  ),
  twin(
    'attribution beside a new cost center',
    'google_pubsub_topic',
    merged({}),
    merged({ ...ATTRIBUTION, cost_center: '4711' }, { cost_center: '4711' }),
  ),
  twin(
    'attribution beside a lost label',
    'google_pubsub_topic',
    merged({ backup: 'daily' }, { backup: 'daily' }),
    merged(ATTRIBUTION),
  ),
  twin(
    'attribution beside a real change',
    'google_storage_bucket',
    { ...merged({}), force_destroy: false },
    { ...merged(ATTRIBUTION), force_destroy: true },
  ),
  twin(
    'attribution in metadata that the machine reads',
    'google_compute_instance',
    { metadata: {} },
    { metadata: ATTRIBUTION },
  ),
  twin(
    'a default tag for cost reports',
    'aws_sns_topic',
    { tags: {}, tags_all: {} },
    { tags: {}, tags_all: { CostCenter: '4711' } },
  ),
  twin(
    'a default tag that selects backups',
    'aws_ebs_volume',
    { tags: {}, tags_all: { Backup: 'daily' } },
    { tags: {}, tags_all: {} },
  ),
  twin(
    'a tag whose merged value changes',
    'aws_sns_topic',
    { tags: { team: 'web' }, tags_all: { team: 'web' } },
    { tags: {}, tags_all: { team: 'core' } },
  ),
  twin(
    'attribution of another cloud',
    'aws_sns_topic',
    { tags: {}, tags_all: {} },
    { tags: {}, tags_all: ATTRIBUTION },
  ),
  twin(
    'a default stamp that a policy reads',
    'aws_sqs_queue',
    { tags_all: { build_number: '4411' } },
    { tags_all: { build_number: '4460' } },
    {
      others: [
        unchanged('aws_iam_role_policy', {
          policy: '{"Condition":{"StringLike":{"aws:ResourceTag/build_number":"44*"}}}',
        }),
      ],
    },
  ),
  twin('the replacement of a bucket', 'google_storage_bucket', merged({}), merged(ATTRIBUTION), {
    change: { actions: ['delete', 'create'], replace_paths: [['effective_labels']] },
  }),
];
