/**
 * Types that Cloud Control lists only within a parent, and that take few calls because accounts have few parents: the
 * type of the parent, and the property of the resource model that takes its identifier.
 */
export const PARENTS: Readonly<Record<string, readonly [parent: string, property: string]>> = {
  'AWS::Amplify::Branch': ['AWS::Amplify::App', 'AppId'],
  'AWS::ApiGateway::Authorizer': ['AWS::ApiGateway::RestApi', 'RestApiId'],
  'AWS::ApiGateway::Deployment': ['AWS::ApiGateway::RestApi', 'RestApiId'],
  'AWS::ApiGateway::Resource': ['AWS::ApiGateway::RestApi', 'RestApiId'],
  'AWS::ApiGateway::Stage': ['AWS::ApiGateway::RestApi', 'RestApiId'],
  'AWS::ApiGatewayV2::Authorizer': ['AWS::ApiGatewayV2::Api', 'ApiId'],
  'AWS::ApiGatewayV2::Deployment': ['AWS::ApiGatewayV2::Api', 'ApiId'],
  'AWS::ApiGatewayV2::Integration': ['AWS::ApiGatewayV2::Api', 'ApiId'],
  'AWS::ApiGatewayV2::Route': ['AWS::ApiGatewayV2::Api', 'ApiId'],
  'AWS::AppConfig::ConfigurationProfile': ['AWS::AppConfig::Application', 'ApplicationId'],
  'AWS::AppConfig::Environment': ['AWS::AppConfig::Application', 'ApplicationId'],
  'AWS::Cognito::UserPoolClient': ['AWS::Cognito::UserPool', 'UserPoolId'],
  'AWS::EC2::Route': ['AWS::EC2::RouteTable', 'RouteTableId'],
  'AWS::EC2::TransitGatewayRoute': ['AWS::EC2::TransitGatewayRouteTable', 'TransitGatewayRouteTableId'],
  'AWS::EC2::TransitGatewayRouteTableAssociation': ['AWS::EC2::TransitGatewayRouteTable', 'TransitGatewayRouteTableId'],
  'AWS::EC2::TransitGatewayRouteTablePropagation': ['AWS::EC2::TransitGatewayRouteTable', 'TransitGatewayRouteTableId'],
  'AWS::EFS::MountTarget': ['AWS::EFS::FileSystem', 'FileSystemId'],
  'AWS::EKS::AccessEntry': ['AWS::EKS::Cluster', 'ClusterName'],
  'AWS::EKS::Addon': ['AWS::EKS::Cluster', 'ClusterName'],
  'AWS::EKS::Capability': ['AWS::EKS::Cluster', 'ClusterName'],
  'AWS::EKS::FargateProfile': ['AWS::EKS::Cluster', 'ClusterName'],
  'AWS::EKS::IdentityProviderConfig': ['AWS::EKS::Cluster', 'ClusterName'],
  'AWS::EKS::Nodegroup': ['AWS::EKS::Cluster', 'ClusterName'],
  'AWS::EKS::PodIdentityAssociation': ['AWS::EKS::Cluster', 'ClusterName'],
  'AWS::ElasticLoadBalancingV2::Listener': ['AWS::ElasticLoadBalancingV2::LoadBalancer', 'LoadBalancerArn'],
  'AWS::NetworkManager::Device': ['AWS::NetworkManager::GlobalNetwork', 'GlobalNetworkId'],
  'AWS::NetworkManager::Link': ['AWS::NetworkManager::GlobalNetwork', 'GlobalNetworkId'],
  'AWS::NetworkManager::Site': ['AWS::NetworkManager::GlobalNetwork', 'GlobalNetworkId'],
  'AWS::S3Tables::Namespace': ['AWS::S3Tables::TableBucket', 'TableBucketARN'],
  'AWS::Transfer::Agreement': ['AWS::Transfer::Server', 'ServerId'],
  'AWS::Transfer::User': ['AWS::Transfer::Server', 'ServerId'],
  'AWS::VerifiedPermissions::IdentitySource': ['AWS::VerifiedPermissions::PolicyStore', 'PolicyStoreId'],
  'AWS::VerifiedPermissions::Policy': ['AWS::VerifiedPermissions::PolicyStore', 'PolicyStoreId'],
  'AWS::VpcLattice::Listener': ['AWS::VpcLattice::Service', 'ServiceIdentifier'],
};

/** Types that Cloud Control lists for each value of one property. `CLOUDFRONT` is the scope of the global region. */
export const VARIANTS: Readonly<Record<string, { property: string; values: readonly string[]; global?: string }>> = {
  'AWS::OpenSearchServerless::AccessPolicy': { property: 'Type', values: ['data'] },
  'AWS::OpenSearchServerless::LifecyclePolicy': { property: 'Type', values: ['retention'] },
  'AWS::OpenSearchServerless::SecurityConfig': { property: 'Type', values: ['saml'] },
  'AWS::OpenSearchServerless::SecurityPolicy': { property: 'Type', values: ['encryption', 'network'] },
  'AWS::Rbin::Rule': { property: 'ResourceType', values: ['EBS_SNAPSHOT', 'EC2_IMAGE'] },
  'AWS::WAFv2::IPSet': { property: 'Scope', values: ['REGIONAL'], global: 'CLOUDFRONT' },
  'AWS::WAFv2::RegexPatternSet': { property: 'Scope', values: ['REGIONAL'], global: 'CLOUDFRONT' },
  'AWS::WAFv2::RuleGroup': { property: 'Scope', values: ['REGIONAL'], global: 'CLOUDFRONT' },
  'AWS::WAFv2::WebACL': { property: 'Scope', values: ['REGIONAL'], global: 'CLOUDFRONT' },
};
