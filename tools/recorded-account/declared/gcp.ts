import type { Resource } from '../build.ts';
import type { Describe, Scope, Values } from './types.ts';

function labelsOf({ tags = {} }: Resource): Values {
  return { labels: { ...tags }, effective_labels: { ...tags, 'goog-terraform-provisioned': 'true' } };
}

function placed({ provider_resource_id: id }: Resource, { account }: Scope): Values {
  const path = id.replace(/^\/\/[^/]+\//, '');
  return { id: path, name: path.split('/').at(-1), project: account };
}

export const GCP: Readonly<Record<string, Describe>> = {
  'run.googleapis.com/Service': (resource, { ingress: _, template }, scope) => {
    const [{ image }] = (template as { containers: [{ image: string }] }).containers;
    const facts = {
      location: resource.region,
      ingress: 'INGRESS_TRAFFIC_ALL',
      template: [{ containers: [{ image }] }],
    };
    return ['google_cloud_run_v2_service', { ...placed(resource, scope), ...facts, ...labelsOf(resource) }];
  },
  'storage.googleapis.com/Bucket': (resource, { location, iamConfiguration }, scope) => {
    const { publicAccessPrevention } = iamConfiguration as Record<string, string>;
    const facts = { location, public_access_prevention: publicAccessPrevention, force_destroy: false };
    return ['google_storage_bucket', { ...placed(resource, scope), ...facts, ...labelsOf(resource) }];
  },
  'pubsub.googleapis.com/Topic': (resource, _, scope) => [
    'google_pubsub_topic',
    { ...placed(resource, scope), ...labelsOf(resource) },
  ],
  'pubsub.googleapis.com/Subscription': (resource, { ackDeadlineSeconds }, scope) => [
    'google_pubsub_subscription',
    { ...placed(resource, scope), ack_deadline_seconds: ackDeadlineSeconds, ...labelsOf(resource) },
  ],
  'iam.googleapis.com/ServiceAccount': (resource, { uniqueId }, scope) => {
    const { id, name: email, project } = placed(resource, scope);
    return ['google_service_account', { id, name: id, email, project, unique_id: uniqueId, disabled: false }];
  },
  'compute.googleapis.com/Instance': (resource, { machineType }, scope) => {
    const { id, name, project } = placed(resource, scope);
    const zone = String(id).split('/')[3];
    const self_link = `https://www.googleapis.com/compute/v1/${id}`;
    return [
      'google_compute_instance',
      { id, name, project, zone, self_link, machine_type: machineType, ...labelsOf(resource) },
    ];
  },
  'compute.googleapis.com/Disk': (resource, { sizeGb, type }, scope) => {
    const { id, name, project } = placed(resource, scope);
    const zone = String(id).split('/')[3];
    return ['google_compute_disk', { id, name, project, zone, size: Number(sizeGb), type, ...labelsOf(resource) }];
  },
  'secretmanager.googleapis.com/Secret': (resource, _, scope) => {
    const { id, name, project } = placed(resource, scope);
    return ['google_secret_manager_secret', { id, name: id, secret_id: name, project, ...labelsOf(resource) }];
  },
  'artifactregistry.googleapis.com/Repository': (resource, { format }, scope) => {
    const { id, name, project } = placed(resource, scope);
    const facts = { location: resource.region, repository_id: name, format };
    return ['google_artifact_registry_repository', { id, name, project, ...facts, ...labelsOf(resource) }];
  },
  'sqladmin.googleapis.com/Instance': (resource, { databaseVersion, settings }, scope) => {
    const { name, project } = placed(resource, scope);
    const { ipv4Enabled } = (settings as { ipConfiguration: { ipv4Enabled: boolean } }).ipConfiguration;
    const facts = { database_version: databaseVersion, region: resource.region, deletion_protection: true };
    const held = [{ tier: 'db-custom-2-7680', ip_configuration: [{ ipv4_enabled: ipv4Enabled }] }];
    return ['google_sql_database_instance', { id: name, name, project, ...facts, settings: held }];
  },
};
