/**
 * Types that Cloud Control lists and whose identifier is the name in the ARN, by service and resource type as in the ARN.
 * With them, an ARN and a listing of Cloud Control are known to mean the same resource.
 */
export const LISTED_ARN_TYPES: Readonly<Record<string, string>> = {
  s3: 'AWS::S3::Bucket',
  's3:bucket': 'AWS::S3::Bucket',
  'dynamodb:table': 'AWS::DynamoDB::Table',
  'ec2:instance': 'AWS::EC2::Instance',
  'ec2:internet-gateway': 'AWS::EC2::InternetGateway',
  'ec2:launch-template': 'AWS::EC2::LaunchTemplate',
  'ec2:natgateway': 'AWS::EC2::NatGateway',
  'ec2:network-acl': 'AWS::EC2::NetworkAcl',
  'ec2:route-table': 'AWS::EC2::RouteTable',
  'ec2:security-group': 'AWS::EC2::SecurityGroup',
  'ec2:subnet': 'AWS::EC2::Subnet',
  'ec2:volume': 'AWS::EC2::Volume',
  'ec2:vpc': 'AWS::EC2::VPC',
  'ec2:vpc-endpoint': 'AWS::EC2::VPCEndpoint',
  'ecr:repository': 'AWS::ECR::Repository',
  'ecs:cluster': 'AWS::ECS::Cluster',
  'eks:cluster': 'AWS::EKS::Cluster',
  'elasticfilesystem:file-system': 'AWS::EFS::FileSystem',
  'iam:role': 'AWS::IAM::Role',
  'iam:user': 'AWS::IAM::User',
  'kinesis:stream': 'AWS::Kinesis::Stream',
  'kms:key': 'AWS::KMS::Key',
  'lambda:function': 'AWS::Lambda::Function',
  'logs:log-group': 'AWS::Logs::LogGroup',
  'rds:cluster': 'AWS::RDS::DBCluster',
  'rds:db': 'AWS::RDS::DBInstance',
  'route53:hostedzone': 'AWS::Route53::HostedZone',
};
