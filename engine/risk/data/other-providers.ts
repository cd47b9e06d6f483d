/**
 * Providers without a list of their own types (type-lists.json holds AWS, Azure and Google) are known by the forms of
 * their type names. A form stands here only where it means the same thing with every provider that uses it.
 */
export const OTHER_PROVIDERS = {
  stateful: `
    kubernetes_namespace* kubernetes_persistent_volume* kubernetes_stateful_set* github_repository gitlab_project
    *_database *_database_cluster *_database_instance *_db_cluster *_db_instance *_bucket *_volume *_kafka_topic
    mongodbatlas_*cluster confluent_kafka_cluster ec_deployment
    digitalocean_droplet hcloud_server linode_instance vsphere_virtual_machine`,
  encryption: 'kubernetes_secret* vault_*secret* vault_mount vault_pki_*',
  iam: `
    kubernetes_*role* github_*collaborator* github_team_repository github_membership github_team_membership
    gitlab_*_membership azuread_* okta_* vault_policy vault_*_role`,
  security: 'kubernetes_network_policy* github_branch_protection* gitlab_branch_protection',
  network: `
    kubernetes_ingress* kubernetes_service kubernetes_service_v1 cloudflare_record cloudflare_dns_record
    *_firewall *_load_balancer *_loadbalancer`,
};
