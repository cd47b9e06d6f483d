import type { DriftAccount, LiveResource } from './types.ts';

/** Pages of the console of AWS for IDs without an ARN, by type. */
const EC2_PAGES: Readonly<Record<string, string>> = {
  'AWS::EC2::Instance': 'ec2/home?region={region}#InstanceDetails:instanceId={id}',
  'AWS::EC2::SecurityGroup': 'ec2/home?region={region}#SecurityGroup:groupId={id}',
  'AWS::EC2::Volume': 'ec2/home?region={region}#VolumeDetails:volumeId={id}',
  'AWS::EC2::NetworkInterface': 'ec2/home?region={region}#NetworkInterface:networkInterfaceId={id}',
  'AWS::EC2::VPC': 'vpcconsole/home?region={region}#VpcDetails:VpcId={id}',
  'AWS::EC2::Subnet': 'vpcconsole/home?region={region}#SubnetDetails:subnetId={id}',
  'AWS::EC2::RouteTable': 'vpcconsole/home?region={region}#RouteTableDetails:RouteTableId={id}',
  'AWS::EC2::InternetGateway': 'vpcconsole/home?region={region}#InternetGateway:internetGatewayId={id}',
  'AWS::EC2::NatGateway': 'vpcconsole/home?region={region}#NatGatewayDetails:natGatewayId={id}',
  'AWS::EC2::VPCEndpoint': 'vpcconsole/home?region={region}#EndpointDetails:vpcEndpointId={id}',
  'AWS::S3::Bucket': 's3/buckets/{id}',
  'AWS::IAM::Role': 'iam/home#/roles/details/{id}',
  'AWS::IAM::User': 'iam/home#/users/details/{id}',
  'AWS::KMS::Key': 'kms/home?region={region}#/kms/keys/{id}',
  'AWS::CloudFront::Distribution': 'cloudfront/v4/home#/distributions/{id}',
  'AWS::Route53::HostedZone': 'route53/v2/hostedzones#ListRecordSets/{id}',
};

type Shown = Pick<LiveResource, 'provider_type' | 'provider_resource_id' | 'aliases' | 'region'>;

/** The page of a resource in the console of its cloud; null if it is not known. */
export function findConsoleUrl(live: Shown, account: DriftAccount): string | null {
  switch (account.provider) {
    case 'aws':
      return findAwsUrl(live);
    case 'azure':
      return `https://portal.azure.com/#resource${encodeURI(live.provider_resource_id)}`;
    default:
      return `https://console.cloud.google.com/home/dashboard?project=${encodeURIComponent(account.external_account_id)}`;
  }
}

function findAwsUrl({ provider_type, provider_resource_id, aliases, region }: Shown): string | null {
  const page = EC2_PAGES[provider_type];
  if (page !== undefined) {
    const place = region ?? 'us-east-1';
    const host = region === null ? 'console.aws.amazon.com' : `${place}.console.aws.amazon.com`;
    return `https://${host}/${page.replace('{region}', place).replace('{id}', encodeURIComponent(provider_resource_id))}`;
  }
  const arn = [provider_resource_id, ...aliases].find((one) => one.startsWith('arn:aws:'));
  return arn === undefined
    ? null
    : `https://console.aws.amazon.com/go/view?arn=${encodeURIComponent(arn.split('|')[0] ?? arn)}`;
}
