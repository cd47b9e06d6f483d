import { hex, type MadeAccount, type Resource } from './build.ts';

const PROJECT = 'acme-shop-4711';
const REGION = 'europe-west1';
const SERVICES = ['catalog', 'cart', 'checkout', 'search', 'accounts', 'mail', 'reports', 'images', 'stock', 'prices'];

function make(
  type: string,
  path: string,
  region: string | null,
  properties: Record<string, unknown>,
  tags: Record<string, string> = {},
): Resource {
  const [host = ''] = type.split('/');
  const name = path.split('/').at(-1) ?? path;
  return {
    provider_type: type,
    provider_resource_id: `//${host}/${path}`,
    region,
    name,
    tags,
    aliases: [path],
    properties,
  };
}

function listOfService(service: string, i: number): Resource[] {
  const labels = i % 4 === 3 ? {} : { team: service };
  const zone = `${REGION}-${'bcd'[i % 3]}`;
  const member = i === 7 ? 'allUsers' : `group:${service}@example.com`;
  return [
    make(
      'run.googleapis.com/Service',
      `projects/${PROJECT}/locations/${REGION}/services/${service}`,
      REGION,
      {
        ingress: 'all',
        template: {
          containers: [
            {
              image: `${REGION}-docker.pkg.dev/${PROJECT}/apps/${service}:1.${i}`,
              env: [{ name: 'STAGE', value: '[redacted]' }],
            },
          ],
        },
      },
      labels,
    ),
    make(
      'storage.googleapis.com/Bucket',
      `acme-${service}-files`,
      REGION,
      {
        location: REGION.toUpperCase(),
        iamConfiguration: { publicAccessPrevention: i === 7 ? 'inherited' : 'enforced' },
        readers: [member],
      },
      labels,
    ),
    make(
      'pubsub.googleapis.com/Topic',
      `projects/${PROJECT}/topics/${service}`,
      null,
      { name: `projects/${PROJECT}/topics/${service}` },
      labels,
    ),
    make(
      'pubsub.googleapis.com/Subscription',
      `projects/${PROJECT}/subscriptions/${service}`,
      null,
      { ackDeadlineSeconds: 10 + i },
      labels,
    ),
    make(
      'iam.googleapis.com/ServiceAccount',
      `projects/${PROJECT}/serviceAccounts/${service}@${PROJECT}.iam.gserviceaccount.com`,
      null,
      { uniqueId: String(Number.parseInt(hex(service, 12), 16)) },
    ),
    make(
      'compute.googleapis.com/Instance',
      `projects/${PROJECT}/zones/${zone}/instances/${service}-1`,
      zone,
      { machineType: 'e2-small', metadata: { items: [{ key: 'startup-script', value: '[redacted]' }] } },
      labels,
    ),
    make(
      'compute.googleapis.com/Disk',
      `projects/${PROJECT}/zones/${zone}/disks/${service}-1`,
      zone,
      { sizeGb: '20', type: 'pd-balanced' },
      labels,
    ),
    make(
      'secretmanager.googleapis.com/Secret',
      `projects/${PROJECT}/secrets/${service}`,
      null,
      { replication: { automatic: {} } },
      labels,
    ),
    make(
      'artifactregistry.googleapis.com/Repository',
      `projects/${PROJECT}/locations/${REGION}/repositories/${service}`,
      REGION,
      { format: 'DOCKER' },
    ),
  ];
}

function listNetworks(): Resource[] {
  const subnets = ['europe-west1', 'europe-west4', 'us-central1'].map((region) =>
    make('compute.googleapis.com/Subnetwork', `projects/${PROJECT}/regions/${region}/subnetworks/default`, region, {
      ipCidrRange: '10.132.0.0/20',
    }),
  );
  const rules = ['default-allow-internal', 'default-allow-ssh', 'default-allow-rdp', 'default-allow-icmp'].map((name) =>
    make('compute.googleapis.com/Firewall', `projects/${PROJECT}/global/firewalls/${name}`, null, {
      direction: 'INGRESS',
      sourceRanges: name === 'default-allow-internal' ? ['10.128.0.0/9'] : ['0.0.0.0/0'],
    }),
  );
  return [
    make('compute.googleapis.com/Network', `projects/${PROJECT}/global/networks/default`, null, {
      autoCreateSubnetworks: true,
    }),
    ...subnets,
    ...rules,
  ];
}

/** A project with ten small services and the default network. */
export function makeGcp(): MadeAccount {
  const database = {
    ...make('sqladmin.googleapis.com/Instance', `projects/${PROJECT}/instances/shop`, REGION, {}, { team: 'platform' }),
    // Cloud Asset names it after another host than its type.
    provider_resource_id: `//cloudsql.googleapis.com/projects/${PROJECT}/instances/shop`,
    properties: { databaseVersion: 'POSTGRES_17', settings: { ipConfiguration: { ipv4Enabled: true } } },
  };
  return {
    provider: 'gcp',
    external_account_id: PROJECT,
    identity: `dpa@${PROJECT}.iam.gserviceaccount.com`,
    permissions: [
      {
        name: 'cloudasset.assets.searchAllResources',
        granted: true,
        needed_for: 'Finding the resources of the project.',
      },
    ],
    parts: [
      {
        key: 'cloudasset/all',
        service: 'cloudasset',
        region: null,
        provider_type: null,
        throttled: 1,
        resources: [...listNetworks(), database, ...SERVICES.flatMap(listOfService)],
      },
    ],
    unchecked: [
      {
        key: 'cloudasset/iam-policies',
        service: 'cloudasset',
        region: null,
        provider_type: null,
        code: 'unsupported_type',
        message: 'Members of IAM policies are not read, because Cloud Asset does not list them as resources.',
      },
    ],
  };
}
