import type { JsonError } from '../json/errors.ts';
import { findCompression, findMarkup, isZip } from '../json/file-kinds.ts';
import { InventoryError, type InventoryErrorClass } from './errors.ts';

const COMMANDS = 'docs/inventory-files.md lists the commands whose output can be read';
const AWS_LISTING =
  "`aws cloudcontrol list-resources --type-name TYPE --region REGION --query \"{TypeName:'TYPE',Region:'REGION',ResourceDescriptions:ResourceDescriptions}\"`";

/** Text that does not begin with JSON. Quotes nothing, because it may contain secrets. */
export function refuseText(head: Buffer): InventoryError {
  const text = head.toString('utf8').trimStart();
  if (text === '') {
    return new InventoryError('empty_file', `The file is empty: the command failed or is still running. ${COMMANDS}.`);
  }
  const compression = findCompression(head, 'inventory.json');
  if (compression !== undefined) {
    const { name, command } = compression;
    return new InventoryError('not_json', `This file is compressed with ${name}. Decompress it first: \`${command}\`.`);
  }
  if (isZip(head)) return notJson('a ZIP file');
  if (head.includes(0)) return notJson('a binary file');
  const markup = findMarkup(text);
  return notJson(markup === undefined ? 'text' : `${markup}, probably a login or error page`);
}

function notJson(what: string): InventoryError {
  return new InventoryError(
    'not_json',
    `This is ${what}, not JSON. Run the command again with \`--output json\` (aws, az) or \`--format=json\` (gcloud); ${COMMANDS}.`,
  );
}

export function refuseTruncated(bytes: number): InventoryError {
  return new InventoryError(
    'truncated_file',
    `The JSON ends after ${bytes} bytes: the file is truncated. Run the command again, and check that the disk is not full and the transfer is complete.`,
  );
}

export function refuseInvalid({ problem, message }: JsonError): InventoryError {
  if (problem === 'size') return new InventoryError('too_large', message);
  const advice = problem === 'syntax' ? ' Run the command again, and write only its standard output to the file.' : '';
  return new InventoryError('invalid_json', `${message}${advice}`);
}

export function refuseScalar(): InventoryError {
  return new InventoryError(
    'other_document',
    `This JSON is a single value, not a listing of resources: probably \`--query\` selected too much. ${COMMANDS}.`,
  );
}

export function refuseSize(max_bytes: number): InventoryError {
  const limit = `${Math.floor(max_bytes / 1_000_000)} MB`;
  return new InventoryError(
    'too_large',
    `The file is larger than ${limit}. Write several files, such as one for each type, project or subscription.`,
  );
}

export function refuseMissingType(): InventoryError {
  return new InventoryError(
    'missing_type',
    `This listing of AWS Cloud Control does not say of which type its resources are: the AWS CLI leaves the type out when it reads all pages. Run ${AWS_LISTING}, or put the type into the name of the file, such as AWS-S3-Bucket.json.`,
  );
}

const STATE = {
  what: 'a state of Terraform',
  instead: 'Compare it with an inventory by `dpa drift --state`',
  error_class: 'state',
} as const;

/** Other documents, and the members that all of them have. The first match wins. */
const OTHER_DOCUMENTS: readonly {
  all: readonly string[];
  what: string;
  instead?: string;
  error_class?: InventoryErrorClass;
}[] = [
  { all: ['planned_values'], what: 'a plan of Terraform', instead: 'Use it with `dpa analyze`' },
  { all: ['resource_changes'], what: 'a plan of Terraform', instead: 'Use it with `dpa analyze`' },
  { all: ['lineage', 'serial'], ...STATE },
  { all: ['terraform_version', 'values'], ...STATE },
  { all: ['error'], what: 'an error message of a cloud', instead: 'Correct the error and run the command again' },
  { all: ['AWSTemplateFormatVersion'], what: 'a template of CloudFormation' },
  { all: ['$schema', 'contentVersion'], what: 'a template of Azure Resource Manager' },
  { all: ['columns', 'rows'], what: 'a table of Resource Graph', instead: 'Use the result format objectArray' },
];

/** Members of the output of commands of the AWS CLI that list one type. */
const AWS_OUTPUTS: Readonly<Record<string, [command: string, type: string]>> = {
  Buckets: ['aws s3api list-buckets', 'AWS::S3::Bucket'],
  DBClusters: ['aws rds describe-db-clusters', 'AWS::RDS::DBCluster'],
  DBInstances: ['aws rds describe-db-instances', 'AWS::RDS::DBInstance'],
  Functions: ['aws lambda list-functions', 'AWS::Lambda::Function'],
  HostedZones: ['aws route53 list-hosted-zones', 'AWS::Route53::HostedZone'],
  InternetGateways: ['aws ec2 describe-internet-gateways', 'AWS::EC2::InternetGateway'],
  LoadBalancers: ['aws elbv2 describe-load-balancers', 'AWS::ElasticLoadBalancingV2::LoadBalancer'],
  NatGateways: ['aws ec2 describe-nat-gateways', 'AWS::EC2::NatGateway'],
  Policies: ['aws iam list-policies', 'AWS::IAM::ManagedPolicy'],
  QueueUrls: ['aws sqs list-queues', 'AWS::SQS::Queue'],
  Reservations: ['aws ec2 describe-instances', 'AWS::EC2::Instance'],
  Roles: ['aws iam list-roles', 'AWS::IAM::Role'],
  RouteTables: ['aws ec2 describe-route-tables', 'AWS::EC2::RouteTable'],
  SecurityGroups: ['aws ec2 describe-security-groups', 'AWS::EC2::SecurityGroup'],
  Subnets: ['aws ec2 describe-subnets', 'AWS::EC2::Subnet'],
  TableNames: ['aws dynamodb list-tables', 'AWS::DynamoDB::Table'],
  Topics: ['aws sns list-topics', 'AWS::SNS::Topic'],
  Users: ['aws iam list-users', 'AWS::IAM::User'],
  Volumes: ['aws ec2 describe-volumes', 'AWS::EC2::Volume'],
  Vpcs: ['aws ec2 describe-vpcs', 'AWS::EC2::VPC'],
  clusterArns: ['aws ecs list-clusters', 'AWS::ECS::Cluster'],
};

/** @param members the names of the members of an object that is not an inventory */
export function refuseDocument(members: readonly string[]): InventoryError {
  const output = members.find((name) => Object.hasOwn(AWS_OUTPUTS, name));
  if (output !== undefined) return refuseAwsOutput(AWS_OUTPUTS[output] as [string, string]);
  const other = OTHER_DOCUMENTS.find(({ all }) => all.every((name) => members.includes(name)));
  if (other !== undefined) {
    return new InventoryError(
      other.error_class ?? 'other_document',
      `This is ${other.what}, not an inventory. ${other.instead ?? COMMANDS}.`,
    );
  }
  return (
    refuseListOfOthers(members) ?? new InventoryError('other_document', `${describeMembers(members)} ${COMMANDS}.`)
  );
}

function refuseAwsOutput([command, type]: [string, string]): InventoryError {
  const listing = AWS_LISTING.replaceAll('TYPE', type);
  return new InventoryError(
    'other_document',
    `This is the output of \`${command}\`, which names properties differently. Run ${listing} instead.`,
  );
}

function refuseListOfOthers(members: readonly string[]): InventoryError | undefined {
  if (members.includes('selfLink') || members.includes('projectNumber')) {
    return new InventoryError(
      'other_document',
      'This is the output of a command of one service of Google Cloud. Run `gcloud asset list --project=PROJECT --content-type=resource --format=json` instead.',
    );
  }
  if (members.includes('data')) {
    return new InventoryError(
      'other_document',
      'The rows of this query have no id and type, so that they cannot be matched with a state. Add both to `project`, or run `az graph query -q "resources" --first 1000 -o json`.',
    );
  }
  return undefined;
}

/** Names of members are not values; a few of them help to recognize the file. */
function describeMembers(members: readonly string[]): string {
  const names = members.filter((name) => /^[$\w.-]{1,40}$/.test(name)).slice(0, 5);
  const list =
    names.length === 0 ? '' : ` (its members are ${names.join(', ')}${members.length > names.length ? ', …' : ''})`;
  return `This JSON is not an inventory${list}.`;
}
