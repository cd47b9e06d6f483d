/**
 * Types of which a listing of Cloud Control may leave resources out, and which ones. A scan reports them as not checked
 * besides the resources that it finds, so that nothing is said to be missing because it was not listed.
 */
export const PARTLY_LISTED_TYPES: Readonly<Record<string, string>> = {
  // boto/boto3 issue 4166: one page of 25 keys without a token for the next, whatever MaxResults says.
  'AWS::ApiGateway::ApiKey': 'AWS may list only the first 25 API keys of a region.',
  // ACM API reference, Filters: "Default filtering returns only RSA_1024 and RSA_2048 certificates".
  'AWS::CertificateManager::Certificate':
    'AWS may list only certificates with RSA keys of 1024 and 2048 bits. Certificates with other keys may exist without being found.',
};
