import { createInventoryReader, type Inventory, type InventoryLimits } from '../../../engine/inventory/index.ts';

/** Reads files given as name and content. */
export function readFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  limits: InventoryLimits = {},
): Inventory {
  const reader = createInventoryReader(limits);
  for (const [name, content] of Object.entries(files)) {
    const file = reader.file(name);
    file.write(typeof content === 'string' ? Buffer.from(content) : content);
    file.end();
  }
  return reader.end();
}

export function readOne(value: unknown, name = 'file.json'): Inventory {
  return readFiles({ [name]: JSON.stringify(value) });
}

const QUEUE_ARN = 'arn:aws:sqs:eu-west-1:123456789012:orders';
const QUEUE_URL = 'https://sqs.eu-west-1.amazonaws.com/123456789012/orders';

/** As `aws cloudcontrol list-resources` and `get-resource` print it: aws/aws-cli, awscli/examples/cloudcontrol. */
export const LISTED_QUEUES = {
  TypeName: 'AWS::SQS::Queue',
  ResourceDescriptions: [
    { Identifier: QUEUE_URL, Properties: JSON.stringify({ QueueUrl: QUEUE_URL, Arn: QUEUE_ARN }) },
  ],
};
export const QUEUE = {
  TypeName: 'AWS::SQS::Queue',
  ResourceDescription: {
    Identifier: QUEUE_URL,
    Properties: JSON.stringify({ QueueUrl: QUEUE_URL, Arn: QUEUE_ARN, DelaySeconds: 5, password: 'canary-1' }),
  },
};

/** As `aws resource-explorer-2 search` prints it: AWS Resource Explorer API Reference, Resource. */
export const EXPLORED = {
  Resources: [
    {
      Arn: 'arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-0a1b',
      LastReportedAt: '2026-11-01T00:00:00+00:00',
      OwningAccountId: '123456789012',
      Properties: [
        { Name: 'tags', LastReportedAt: '2026-11-01T00:00:00+00:00', Data: [{ Key: 'Name', Value: 'main' }] },
      ],
      Region: 'eu-west-1',
      ResourceType: 'ec2:vpc',
      Service: 'ec2',
    },
  ],
  Count: { Complete: true, TotalResources: 1 },
  ViewArn: 'arn:aws:resource-explorer-2:eu-west-1:123456789012:view/all/1',
};

/** As `aws resourcegroupstaggingapi get-resources` prints it: its API Reference, ResourceTagMapping. */
export const TAGGED = {
  ResourceTagMappingList: [{ ResourceARN: 'arn:aws:s3:::shop-logs', Tags: [{ Key: 'team', Value: 'shop' }] }],
};

/** As `aws configservice select-resource-config` prints it: AWS Config API Reference, SelectResourceConfig. */
export const CONFIGURED = {
  Results: [
    JSON.stringify({
      resourceId: 'i-0c2d',
      resourceType: 'AWS::EC2::Instance',
      arn: 'arn:aws:ec2:eu-west-1:123456789012:instance/i-0c2d',
      awsRegion: 'eu-west-1',
      accountId: '123456789012',
      tags: [{ key: 'Name', value: 'web' }],
    }),
  ],
  QueryInfo: { SelectFields: [{ Name: 'resourceId' }] },
};

/** As `gcloud asset list --content-type=resource --format=json` prints it: Cloud Asset API, Asset. */
export const ASSET = {
  name: '//compute.googleapis.com/projects/shop/zones/europe-west1-b/instances/web',
  assetType: 'compute.googleapis.com/Instance',
  ancestors: ['projects/481516234200', 'folders/23', 'organizations/42'],
  resource: {
    version: 'v1',
    discoveryName: 'Instance',
    discoveryDocumentUri: 'https://www.googleapis.com/discovery/v1/apis/compute/v1/rest',
    parent: '//cloudresourcemanager.googleapis.com/projects/481516234200',
    location: 'europe-west1-b',
    data: { name: 'web', labels: { team: 'shop' }, machineType: 'e2-small' },
  },
  updateTime: '2026-11-01T00:00:00Z',
};

/** As an export to Cloud Storage writes it, in snake case: GoogleCloudPlatform/config-validator, its samples of assets. */
export const EXPORTED_ASSET = {
  name: '//storage.googleapis.com/shop-logs',
  asset_type: 'storage.googleapis.com/Bucket',
  ancestry_path: 'organization/42/folder/23/project/481516234200',
  resource: { version: 'v1', discovery_name: 'Bucket', data: { id: 'shop-logs', location: 'EU', labels: {} } },
};

/** As `gcloud asset search-all-resources --format=json` prints it: Cloud Asset API, ResourceSearchResult. */
export const FOUND = {
  name: '//secretmanager.googleapis.com/projects/481516234200/secrets/api',
  assetType: 'secretmanager.googleapis.com/Secret',
  project: 'projects/481516234200',
  folders: ['folders/23'],
  organization: 'organizations/42',
  displayName: 'projects/481516234200/secrets/api',
  location: 'global',
  labels: { team: 'shop' },
  additionalAttributes: {},
};

export const ACCOUNT_ID = '/subscriptions/0f0f/resourceGroups/Shop/providers/Microsoft.Storage/storageAccounts/logs';

/** A row as `az graph query` and `az resource show` print it: Azure Resource Graph, and azure-mgmt-resource GenericResource. */
export const STORAGE = {
  id: ACCOUNT_ID,
  name: 'logs',
  type: 'microsoft.storage/storageaccounts',
  location: 'West Europe',
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  identity: null,
  tags: { team: 'shop' },
  properties: { minimumTlsVersion: 'TLS1_2' },
};
export const GRAPH = { count: 1, data: [STORAGE], skip_token: null, total_records: 1 };
