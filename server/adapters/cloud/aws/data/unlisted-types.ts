/**
 * Types with a Terraform counterpart that Cloud Control lists only within a parent. `parents.ts` has those that are read
 * anyway.
 */
export const CHILD_TYPES = `
  ACMPCA: Certificate Permission
  Amplify: Branch
  ApiGateway: Account Authorizer BasePathMapping Deployment DocumentationPart DocumentationVersion GatewayResponse
    Method Model RequestValidator Resource Stage UsagePlanKey
  ApiGatewayV2: Authorizer Deployment Integration Model Route
  AppConfig: ConfigurationProfile Deployment Environment HostedConfigurationVersion
  AppSync: ChannelNamespace DomainNameApiAssociation Resolver SourceApiAssociation
  ApplicationAutoScaling: ScalingPolicy
  Athena: PreparedStatement
  Bedrock: GuardrailVersion
  CloudFront: MonitoringSubscription
  Cognito: LogDeliveryConfiguration ManagedLoginBranding UserPoolClient UserPoolDomain
  Connect: ContactFlow ContactFlowModule HoursOfOperation PhoneNumber Queue QuickConnect RoutingProfile
    SecurityProfile User UserHierarchyGroup UserHierarchyStructure
  DataZone: Environment EnvironmentBlueprintConfiguration EnvironmentProfile Project UserProfile
  EC2: Route TransitGatewayMulticastGroupMember TransitGatewayMulticastGroupSource TransitGatewayRoute
    TransitGatewayRouteTableAssociation TransitGatewayRouteTablePropagation VPCBlockPublicAccessOptions
  ECS: TaskSet
  EFS: MountTarget
  EKS: AccessEntry Addon Capability FargateProfile IdentityProviderConfig Nodegroup PodIdentityAssociation
  ElasticLoadBalancingV2: Listener ListenerRule TrustStoreRevocation
  EventSchemas: RegistryPolicy Schema
  Evidently: Feature Launch Project
  FIS: TargetAccountConfiguration
  Glue: Connection
  IAM: GroupPolicy RolePolicy ServiceLinkedRole UserPolicy
  IdentityStore: Group GroupMembership
  ImageBuilder: Component Image Workflow
  Inspector: ResourceGroup
  Kinesis: ResourcePolicy
  Lambda: Alias Permission Url
  Logs: AccountPolicy SubscriptionFilter
  M2: Deployment
  MSK: ClusterPolicy
  NetworkFirewall: LoggingConfiguration
  NetworkManager: CustomerGatewayAssociation Device Link LinkAssociation Site TransitGatewayRegistration
  Notifications: ChannelAssociation EventRule
  OpenSearchServerless: AccessPolicy LifecyclePolicy SecurityConfig SecurityPolicy
  Organizations: OrganizationalUnit Policy
  QLDB: Stream
  QuickSight: Analysis Dashboard RefreshSchedule Template Theme
  Rbin: Rule
  S3ObjectLambda: AccessPointPolicy
  S3Tables: Namespace Table TablePolicy
  SES: ConfigurationSetEventDestination
  SSMContacts: Plan
  SSO: Application
  SageMaker: Device DeviceFleet ImageVersion
  ServiceCatalogAppRegistry: AttributeGroupAssociation
  Transfer: Agreement User
  VerifiedPermissions: IdentitySource Policy PolicyTemplate
  VpcLattice: AccessLogSubscription AuthPolicy Listener ResourcePolicy
  WAFv2: IPSet RegexPatternSet RuleGroup WebACL WebACLAssociation
  WorkSpaces: ConnectionAlias
  WorkSpacesWeb: IdentityProvider
`;

/** Types with a Terraform counterpart that Cloud Control does not list at all. `arn-types.ts` has some that indexes show. */
export const UNKNOWN_TYPES = `
  APS: ResourcePolicy
  AccessAnalyzer: ArchiveRule
  Amplify: Webhook
  ApiGatewayV2: Stage
  AppMesh: GatewayRoute Mesh Route VirtualGateway VirtualNode VirtualRouter VirtualService
  AppStream: Fleet Stack User
  AppSync: ApiCache ApiKey Type
  AutoScalingPlans: ScalingPlan
  BedrockAgentCore: ApiKeyCredentialProvider Gateway GatewayTarget Memory WorkloadIdentity
  Budgets: Budget
  Chime: VoiceConnector
  Cloud9: EnvironmentEC2
  CloudFront: FieldLevelEncryptionProfile
  CodeBuild: Project ReportGroup SourceCredential
  CodeCommit: Repository
  CodeConnections: Host
  CodeDeploy: DeploymentGroup
  CodePipeline: Webhook
  Comprehend: EntityRecognizer
  Config: ConfigurationRecorder DeliveryChannel RemediationConfiguration
  Connect: Vocabulary
  DAX: Cluster ParameterGroup SubnetGroup
  DLM: LifecyclePolicy
  DMS: Certificate Endpoint EventSubscription ReplicationInstance ReplicationSubnetGroup ReplicationTask
  DRS: ReplicationConfigurationTemplate
  DataExchange: DataSet EventAction
  DataZone: FormType
  DeviceFarm: DevicePool InstanceProfile NetworkProfile Project TestGridProject Upload
  DirectoryService: MicrosoftAD
  DocDB: DBCluster DBInstance EventSubscription GlobalCluster
  EC2: ClientVpnAuthorizationRule ClientVpnEndpoint ClientVpnRoute NetworkInterfacePermission SubnetCidrReservation
    TrafficMirrorSession TransitGatewayConnectPeer TransitGatewayPolicyTable TransitGatewayPolicyTableAssociation
    VPCEncryptionControl VPNConcentrator VPNGatewayRoutePropagation
  ECS: ExpressGatewayService
  EMR: Cluster
  EMRContainers: JobTemplate
  ElastiCache: CacheCluster
  ElasticLoadBalancingV2: ListenerCertificate
  Elasticsearch: Domain
  FSx: Backup FileCache FileSystem
  Glue: Classifier DataCatalogEncryptionSettings DataQualityRuleset DevEndpoint MLTransform Partition
    SecurityConfiguration Table UserDefinedFunction Workflow
  IAM: AccessKey Policy
  IdentityStore: User
  IoT: ThingPrincipalAttachment
  Kendra: QuerySuggestionsBlockList Thesaurus
  KinesisAnalytics: Application
  LakeFormation: DataLakeSettings Permissions Resource
  Lambda: CapacityProvider
  Lightsail: Domain KeyPair
  MediaConvert: Queue
  MediaLive: Channel Input InputSecurityGroup
  MediaStore: Container
  MemoryDB: Snapshot
  Neptune: EventSubscription GlobalCluster
  NetworkFlowMonitor: Monitor Scope
  NetworkManager: Connection
  NetworkMonitor: Monitor
  OpenSearchService: Domain
  OpsWorks: Instance Stack UserProfile
  Pinpoint: ADMChannel APNSChannel APNSSandboxChannel APNSVoipChannel APNSVoipSandboxChannel App BaiduChannel
    EmailChannel EmailTemplate EventStream GCMChannel SMSChannel
  QLDB: Ledger
  RDS: DBSnapshot
  Redshift: SnapshotCopyGrant SnapshotSchedule UsageLimit
  Route53: DelegationSet RecordSet TrafficPolicy TrafficPolicyInstance
  S3Vectors: Index VectorBucketPolicy
  SES: ReceiptFilter ReceiptRule ReceiptRuleSet
  SNS: TopicPolicy
  SQS: QueuePolicy
  SSM: MaintenanceWindow MaintenanceWindowTarget MaintenanceWindowTask ServiceSetting
  SageMaker: CodeRepository Hub HumanTaskUi Model NotebookInstance Workforce Workteam
  ServiceCatalog: Portfolio PortfolioShare TagOption
  ServiceDiscovery: HttpNamespace Instance PrivateDnsNamespace PublicDnsNamespace Service
  StorageGateway: TapePool
  Transcribe: MedicalVocabulary Vocabulary VocabularyFilter
  Transfer: HostKey
  VpcLattice: DomainVerification
  WAF: ByteMatchSet Rule SizeConstraintSet SqlInjectionMatchSet WebACL XssMatchSet
  WAFRegional: ByteMatchSet GeoMatchSet RateBasedRule RegexPatternSet Rule SizeConstraintSet SqlInjectionMatchSet
    WebACL WebACLAssociation XssMatchSet
  WorkSpaces: Workspace
`;
