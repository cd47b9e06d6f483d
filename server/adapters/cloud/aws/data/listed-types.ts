/**
 * Types with a Terraform counterpart that Cloud Control lists without further input, by service: the list handler of
 * their CloudFormation schema exists and requires nothing (as of July 2025; those of AmazonMQ::Broker,
 * CertificateManager, ElastiCache::ReplicationGroup, ElasticLoadBalancing and S3Vectors as of December 2025).
 */
export const LISTED_TYPES = `
  ACMPCA: CertificateAuthority
  APS: Scraper Workspace
  AccessAnalyzer: Analyzer
  AmazonMQ: Broker Configuration
  Amplify: App
  ApiGateway: ApiKey ClientCertificate DomainName DomainNameAccessAssociation RestApi UsagePlan VpcLink
  ApiGatewayV2: Api ApiMapping DomainName IntegrationResponse RouteResponse VpcLink
  AppConfig: Application DeploymentStrategy Extension ExtensionAssociation
  AppFlow: ConnectorProfile Flow
  AppIntegrations: DataIntegration EventIntegration
  AppRunner: ObservabilityConfiguration Service VpcConnector VpcIngressConnection
  AppStream: DirectoryConfig ImageBuilder
  AppSync: Api DomainName
  ApplicationAutoScaling: ScalableTarget
  ApplicationInsights: Application
  Athena: CapacityReservation DataCatalog NamedQuery
  AuditManager: Assessment
  AutoScaling: AutoScalingGroup LaunchConfiguration LifecycleHook ScalingPolicy ScheduledAction
  BCMDataExports: Export
  Backup: BackupPlan BackupSelection BackupVault Framework ReportPlan RestoreTestingPlan RestoreTestingSelection
  Batch: ComputeEnvironment JobDefinition JobQueue SchedulingPolicy
  Bedrock: Guardrail
  CE: AnomalyMonitor AnomalySubscription CostCategory
  CUR: ReportDefinition
  Cassandra: Keyspace Table
  CertificateManager: Certificate
  Chatbot: SlackChannelConfiguration
  CleanRooms: Collaboration ConfiguredTable Membership
  CloudFormation: Stack StackSet
  CloudFront: CachePolicy CloudFrontOriginAccessIdentity ContinuousDeploymentPolicy Distribution Function KeyGroup
    KeyValueStore OriginAccessControl OriginRequestPolicy PublicKey RealtimeLogConfig ResponseHeadersPolicy
    VpcOrigin
  CloudTrail: EventDataStore Trail
  CloudWatch: Alarm CompositeAlarm Dashboard MetricStream
  CodeArtifact: Domain Repository
  CodeBuild: Fleet
  CodeConnections: Connection
  CodeDeploy: DeploymentConfig
  CodeGuruProfiler: ProfilingGroup
  CodeGuruReviewer: RepositoryAssociation
  CodePipeline: CustomActionType Pipeline
  CodeStarConnections: Connection
  CodeStarNotifications: NotificationRule
  Cognito: IdentityPool UserPool
  Comprehend: DocumentClassifier
  Config: ConfigRule ConfigurationAggregator ConformancePack OrganizationConformancePack
  Connect: Instance InstanceStorageConfig
  ControlTower: LandingZone
  CustomerProfiles: Domain
  DMS: ReplicationConfig
  DSQL: Cluster
  DataPipeline: Pipeline
  DataSync: Agent LocationAzureBlob LocationEFS LocationHDFS LocationNFS LocationObjectStorage LocationS3
    LocationSMB Task
  DataZone: Domain
  Detective: Graph
  DevOpsGuru: NotificationChannel ResourceCollection
  DocDBElastic: Cluster
  DynamoDB: GlobalTable Table
  EC2: CapacityReservation CarrierGateway CustomerGateway DHCPOptions EC2Fleet EIP EIPAssociation
    EgressOnlyInternetGateway FlowLog Host Instance InstanceConnectEndpoint InternetGateway KeyPair LaunchTemplate
    LocalGatewayRoute LocalGatewayRouteTableVPCAssociation NatGateway NetworkAcl NetworkInsightsAnalysis
    NetworkInsightsPath NetworkInterface NetworkInterfaceAttachment PlacementGroup PrefixList RouteTable
    SecurityGroup SecurityGroupEgress SecurityGroupIngress SpotFleet Subnet SubnetRouteTableAssociation
    TrafficMirrorFilter TrafficMirrorFilterRule TrafficMirrorTarget TransitGateway TransitGatewayAttachment
    TransitGatewayConnect TransitGatewayMulticastDomain TransitGatewayMulticastDomainAssociation
    TransitGatewayPeeringAttachment TransitGatewayRouteTable TransitGatewayVpcAttachment VPC
    VPCBlockPublicAccessExclusion VPCEndpoint VPCEndpointConnectionNotification VPCEndpointService
    VPCPeeringConnection VPNConnection VPNConnectionRoute VPNGateway Volume VolumeAttachment
  ECR: PullThroughCacheRule RegistryPolicy RegistryScanningConfiguration ReplicationConfiguration Repository
    RepositoryCreationTemplate
  ECS: CapacityProvider Cluster Service TaskDefinition
  EFS: AccessPoint FileSystem
  EKS: Cluster
  EMR: SecurityConfiguration Studio StudioSessionMapping
  EMRContainers: VirtualCluster
  EMRServerless: Application
  ElastiCache: GlobalReplicationGroup ParameterGroup ReplicationGroup ServerlessCache SubnetGroup User UserGroup
  ElasticBeanstalk: Application ApplicationVersion ConfigurationTemplate Environment
  ElasticLoadBalancing: LoadBalancer
  ElasticLoadBalancingV2: LoadBalancer TargetGroup TrustStore
  EventSchemas: Discoverer Registry
  Events: ApiDestination Archive Connection Endpoint EventBus Rule
  Evidently: Segment
  FIS: ExperimentTemplate
  FMS: Policy ResourceSet
  FSx: DataRepositoryAssociation S3AccessPointAttachment
  GameLift: Alias Build Fleet GameServerGroup GameSessionQueue Script
  GlobalAccelerator: Accelerator CrossAccountAttachment EndpointGroup Listener
  Glue: Crawler Database Job Registry Schema Trigger
  Grafana: Workspace
  GuardDuty: Detector Filter MalwareProtectionPlan Member PublishingDestination
  IAM: Group InstanceProfile ManagedPolicy OIDCProvider Role SAMLProvider ServerCertificate User VirtualMFADevice
  IVS: Channel PlaybackKeyPair RecordingConfiguration
  IVSChat: LoggingConfiguration Room
  ImageBuilder: ContainerRecipe DistributionConfiguration ImagePipeline ImageRecipe InfrastructureConfiguration
    LifecyclePolicy
  Inspector: AssessmentTarget AssessmentTemplate
  InspectorV2: Filter
  InternetMonitor: Monitor
  Invoicing: InvoiceUnit
  IoT: Authorizer BillingGroup CACertificate Certificate DomainConfiguration Policy ProvisioningTemplate RoleAlias
    Thing ThingGroup ThingType TopicRule TopicRuleDestination
  KMS: Alias Key ReplicaKey
  Kendra: DataSource Faq Index
  Kinesis: Stream StreamConsumer
  KinesisAnalyticsV2: Application
  KinesisFirehose: DeliveryStream
  KinesisVideo: Stream
  LakeFormation: DataCellsFilter
  Lambda: CodeSigningConfig EventSourceMapping Function LayerVersion LayerVersionPermission
  Lex: Bot BotAlias
  LicenseManager: Grant
  Lightsail: Bucket Certificate Database Disk Distribution Instance StaticIp
  Location: GeofenceCollection Map PlaceIndex RouteCalculator Tracker
  Logs: Delivery DeliveryDestination DeliverySource Destination LogGroup MetricFilter QueryDefinition ResourcePolicy
    Transformer
  M2: Application Environment
  MSK: Cluster Configuration Replicator ServerlessCluster VpcConnection
  MWAA: Environment
  MediaLive: Multiplex
  MediaPackage: Channel
  MemoryDB: ACL Cluster MultiRegionCluster ParameterGroup SubnetGroup User
  Neptune: DBCluster DBInstance
  NeptuneGraph: Graph
  NetworkFirewall: Firewall FirewallPolicy RuleGroup TLSInspectionConfiguration VpcEndpointAssociation
  NetworkManager: ConnectAttachment ConnectPeer CoreNetwork GlobalNetwork SiteToSiteVpnAttachment
    TransitGatewayPeering TransitGatewayRouteTableAttachment VpcAttachment
  Notifications: NotificationConfiguration NotificationHub
  NotificationsContacts: EmailContact
  ODB: CloudAutonomousVmCluster CloudExadataInfrastructure CloudVmCluster
  OSIS: Pipeline
  Oam: Link Sink
  OpenSearchServerless: Collection VpcEndpoint
  Organizations: Account Organization ResourcePolicy
  PaymentCryptography: Key
  Pipes: Pipe
  QBusiness: Application
  QuickSight: CustomPermissions DataSet DataSource Folder VPCConnection
  RAM: ResourceShare
  RDS: CustomDBEngineVersion DBCluster DBClusterParameterGroup DBInstance DBParameterGroup DBProxy DBProxyEndpoint
    DBSubnetGroup EventSubscription GlobalCluster Integration OptionGroup
  RUM: AppMonitor
  Redshift: Cluster EndpointAccess EndpointAuthorization EventSubscription Integration ScheduledAction
  RedshiftServerless: Namespace Snapshot Workgroup
  Rekognition: Collection Project StreamProcessor
  ResilienceHub: ResiliencyPolicy
  ResourceExplorer2: Index View
  ResourceGroups: Group
  RolesAnywhere: Profile TrustAnchor
  Route53: CidrCollection HealthCheck HostedZone KeySigningKey
  Route53Profiles: Profile
  Route53RecoveryReadiness: Cell ReadinessCheck RecoveryGroup ResourceSet
  Route53Resolver: FirewallDomainList FirewallRuleGroup FirewallRuleGroupAssociation
  S3: AccessPoint Bucket BucketPolicy StorageLens
  S3ObjectLambda: AccessPoint
  S3Outposts: Endpoint
  S3Tables: TableBucket TableBucketPolicy
  S3Vectors: VectorBucket
  SES: ConfigurationSet ContactList DedicatedIpPool EmailIdentity Template
  SNS: Subscription Topic
  SQS: Queue
  SSM: Association Document Parameter PatchBaseline ResourceDataSync
  SSMContacts: Contact ContactChannel Rotation
  SSMIncidents: ReplicationSet ResponsePlan
  SSMQuickSetup: ConfigurationManager
  SSO: ApplicationAssignment PermissionSet
  SageMaker: App AppImageConfig DataQualityJobDefinition Domain Endpoint FeatureGroup Image MlflowTrackingServer
    ModelPackageGroup MonitoringSchedule Pipeline Project Space StudioLifecycleConfig UserProfile
  Scheduler: Schedule ScheduleGroup
  SecretsManager: Secret
  SecurityHub: AutomationRule ConfigurationPolicy FindingAggregator Hub Insight OrganizationConfiguration
    ProductSubscription
  SecurityLake: AwsLogSource DataLake Subscriber SubscriberNotification
  ServiceCatalog: ServiceAction
  ServiceCatalogAppRegistry: Application AttributeGroup
  Shield: ProactiveEngagement Protection ProtectionGroup
  Signer: SigningProfile
  StepFunctions: Activity StateMachine
  Synthetics: Canary Group
  Timestream: Database Table
  Transfer: Certificate Connector Profile Server WebApp Workflow
  VerifiedPermissions: PolicyStore
  VpcLattice: ResourceConfiguration ResourceGateway Service ServiceNetwork ServiceNetworkResourceAssociation
    ServiceNetworkServiceAssociation ServiceNetworkVpcAssociation TargetGroup
  WorkSpacesWeb: BrowserSettings DataProtectionSettings IpAccessSettings NetworkSettings Portal SessionLogger
    TrustStore UserAccessLoggingSettings UserSettings
  XRay: Group ResourcePolicy SamplingRule
`;
