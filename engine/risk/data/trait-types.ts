/** Type globs of the base adjustments: types whose actions are less or more risky than their category suggests. */

export const LINK_TYPES = `
  *_attachment *_association *_membership *_iam_member *_role_assignment *_account_assignment
  aws_security_group_rule aws_vpc_security_group_*_rule aws_network_acl_rule azurerm_network_security_rule
  *_firewall_rule *_firewall_policy_rule google_compute_firewall
  *_listener_certificate aws_iam_instance_profile aws_lambda_permission`;

/** Types that are named like a relation, but on which a whole disk, network or circuit depends. */
export const NOT_LINK_TYPES = `
  *_volume_attachment *_disk_attachment *_interconnect_attachment *_gateway_attachment
  aws_ec2_transit_gateway_*_attachment aws_networkmanager_*_attachment aws_dx_*_association
  google_compute_network_attachment google_compute_service_attachment`;

export const DNS_RECORD_TYPES = `
  aws_route53_record google_dns_record_set azurerm_dns_*_record azurerm_private_dns_*_record
  cloudflare_record cloudflare_dns_record`;

export const WORKLOAD_TYPES = `
  aws_ecs_service aws_autoscaling_group aws_eks_node_group aws_apprunner_service aws_lambda_function
  azurerm_*_web_app azurerm_*_function_app azurerm_app_service azurerm_function_app azurerm_container_app
  google_cloudfunctions*_function google_cloud_run_service google_cloud_run_v2_service google_app_engine_*_version
  kubernetes_deployment* kubernetes_daemon* helm_release
  aws_sfn_state_machine aws_batch_compute_environment aws_amplify_app aws_lightsail_container_service
  azurerm_service_plan azurerm_static_web_app azurerm_logic_app_* azurerm_spring_cloud_app
  google_app_engine_application argocd_application* cloudflare_worker*_script cloudflare_pages_project
  heroku_app vercel_project netlify_site digitalocean_app fly_app nomad_job`;

export const VERSIONED_TYPES = `
  *_task_definition *_launch_template *_batch_job_definition aws_lambda_layer_version aws_launch_configuration
  google_compute_instance_template google_compute_region_instance_template aws_api_gateway_deployment
  aws_sagemaker_endpoint_configuration aws_imagebuilder_*`;

export const SECRET_VERSION_TYPES = '*_secret_version';

/** Types that exist only in the state. `terraform_data` is excluded: it may run provisioners that the plan omits. */
export const HELPER_TYPES = 'null_resource random_* time_* local_* aws_acm_certificate_validation';

export const BARE_IDENTITY_TYPES = '*_instance_profile *_service_account *_user_assigned_identity';

/** Types that store secrets. */
export const SECRET_TYPES = '*_secret* *_key_vault* azurerm_app_configuration_key aws_ssm_parameter';

/** AWS types that name the principals that have access. */
export const GRANT_TYPES = `
  aws_*_permission aws_*_permission_* aws_*_policy aws_*_grant aws_*_share aws_*_accepter aws_*_acl
  aws_*_principal aws_*_principal_* aws_*_association`;

/** AWS types whose `account_id` or `owner_id` names another account by design. */
export const FOREIGN_ACCOUNT_TYPES = `
  aws_cloudwatch_event_target aws_*_member aws_*_membership aws_*_accepter aws_*_delegated_administrator aws_*_admin_account`;

/** Types whose id is often the id of their parent resource. */
export const BORROWED_ID_TYPES = `
  aws_s3_bucket_* aws_s3_account_* *_policy *_configuration *_iam_binding *_iam_member`;
