/** Services that have one list for all regions, and the region that answers. */
export const GLOBAL_SERVICES: Readonly<Record<string, string>> = {
  BCMDataExports: 'us-east-1',
  CE: 'us-east-1',
  CUR: 'us-east-1',
  Chatbot: 'us-west-2',
  CloudFront: 'us-east-1',
  GlobalAccelerator: 'us-west-2',
  IAM: 'us-east-1',
  Invoicing: 'us-east-1',
  NetworkManager: 'us-west-2',
  Notifications: 'us-east-1',
  NotificationsContacts: 'us-east-1',
  Organizations: 'us-east-1',
  Route53: 'us-east-1',
  Route53RecoveryReadiness: 'us-west-2',
  Shield: 'us-east-1',
};

/** Single types of regional services with one list for all regions. */
export const GLOBAL_TYPES: Readonly<Record<string, string>> = { 'AWS::S3::BucketPolicy': 'us-east-1' };
