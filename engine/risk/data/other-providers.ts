/**
 * Providers without a list of their own types (type-lists.json holds AWS, Azure and Google) are known by the forms of
 * their type names. A form stands here only where it means the same thing with every provider that uses it.
 */
export const OTHER_PROVIDERS = {
  stateful: `
    kubernetes_namespace* kubernetes_persistent_volume* kubernetes_stateful_set* github_repository gitlab_project
    *_database *_database_cluster *_database_instance *_db_cluster *_db_instance *_bucket *_volume *_kafka_topic
    mongodbatlas_*cluster confluent_kafka_cluster ec_deployment
    *_db_system *_blockstorage_volume_v* *_core_volume kafka_topic elasticstack_elasticsearch_index
    cloudflare_zone cloudflare_workers_kv_namespace
    digitalocean_droplet hcloud_server linode_instance vsphere_virtual_machine
    *_core_instance *_compute_instance_v2 proxmox_vm_qemu proxmox_virtual_environment_vm`,
  encryption: 'kubernetes_secret* vault_*secret* vault_mount vault_pki_*',
  iam: `
    kubernetes_*role* github_*collaborator* github_team_repository github_membership github_team_membership
    gitlab_*_membership azuread_* okta_* auth0_* keycloak_* vault_policy vault_*_role
    datadog_role* datadog_user snowflake_grant* snowflake_*role* mongodbatlas_database_user`,
  security: `
    kubernetes_network_policy* github_branch_protection* gitlab_branch_protection
    github_repository_ruleset github_organization_ruleset github_actions_*_permissions
    cloudflare_ruleset cloudflare_firewall_rule cloudflare_filter cloudflare_access_* cloudflare_zero_trust_access_*
    cloudflare_zone_setting* mongodbatlas_project_ip_access_list *_networking_secgroup*`,
  network: `
    kubernetes_ingress* kubernetes_service kubernetes_service_v1 cloudflare_record cloudflare_dns_record
    *_firewall *_load_balancer *_loadbalancer`,
};
