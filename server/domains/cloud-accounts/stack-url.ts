/**
 * Opens the AWS console with a stack that creates the role; the parameters are filled in.
 *
 * @param template_url of a copy of examples/cloud-accounts/aws/role.yaml in S3
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cfn-console-create-stacks-quick-create-links.html
 */
export function formatStackUrl(
  template_url: string,
  { principal_arn, external_id }: { principal_arn: string; external_id: string },
): string {
  const parameters = new URLSearchParams({
    templateURL: template_url,
    stackName: 'dpa',
    param_PrincipalArn: principal_arn,
    param_ExternalId: external_id,
  });
  return `https://console.aws.amazon.com/cloudformation/home#/stacks/quickcreate?${parameters}`;
}
