/** Routine changes that surround the important ones; none is above level low. */
import { createNoOp, replace, update } from './changes.ts';
import type { Cloud, Entry } from './types.ts';

const ROUTINE: Record<Cloud, () => Entry[]> = {
  aws: () => [
    update('aws_cloudwatch_metric_alarm.routine', { alarm_description: 'errors of the shop' }),
    update('aws_s3_bucket.routine_assets', {
      tags: { Env: 'prod', Team: 'web' },
      tags_all: { Env: 'prod', Team: 'web' },
    }),
    createNoOp('aws_vpc.routine'),
    replace(
      'aws_ecs_task_definition.routine',
      { container_definitions: '[{"cpu":0,"essential":true,"image":"registry.example/web:1.42.0","name":"web"}]' },
      { container_definitions: '[{"cpu":0,"essential":true,"image":"registry.example/web:1.41.0","name":"web"}]' },
    ),
    update('aws_instance.routine_worker', {
      tags: { Env: 'prod', Owner: 'ops' },
      tags_all: { Env: 'prod', Owner: 'ops' },
    }),
    replace('null_resource.routine', { triggers: { build: '42' } }, {}, { paths: ['triggers'] }),
    update('aws_cloudwatch_dashboard.routine', { dashboard_body: '{"widgets":[]}' }),
    createNoOp('aws_subnet.routine'),
  ],
  google: () => [
    update('google_storage_bucket.routine_assets', {
      labels: { env: 'prod', team: 'web' },
      effective_labels: { env: 'prod', team: 'web' },
      terraform_labels: { env: 'prod', team: 'web' },
    }),
    createNoOp('google_compute_network.routine'),
    update('google_pubsub_topic.routine', { labels: { env: 'prod', team: 'web' } }),
    createNoOp('google_bigquery_dataset.routine'),
    update('google_service_account.routine', { description: 'of the shop' }),
    createNoOp('google_kms_crypto_key.routine'),
  ],
  azurerm: () => [
    update('azurerm_storage_account.routine', { tags: { env: 'prod', team: 'web' } }),
    createNoOp('azurerm_key_vault.routine'),
    update('azurerm_linux_virtual_machine.routine', { tags: { env: 'prod', team: 'web' } }),
    createNoOp('azurerm_cosmosdb_account.routine'),
    update('azurerm_linux_web_app.routine', { tags: { env: 'prod', team: 'web' } }),
  ],
};

/** The first `count` routine changes of a cloud. */
export function selectRoutine(cloud: Cloud, count: number): Entry[] {
  return ROUTINE[cloud]().slice(0, count);
}
