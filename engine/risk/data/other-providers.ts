/**
 * Patterns of type names for providers that type-lists.json does not cover (it covers AWS, Azure and Google). A pattern
 * is listed only if it has the same meaning for every provider that uses it.
 */
export const OTHER_PROVIDERS = {
  stateful: `
    kubernetes_namespace* kubernetes_custom_resource_definition kubernetes_persistent_volume* kubernetes_stateful_set* github_repository gitlab_project
    *_datastore *_data_store *_keyspace *_object_store *_blob_store *_kv_store *_file_store *_data_lake
    *_database *_database_cluster *_database_instance *_db_cluster *_db_instance *_bucket *_volume *_kafka_topic
    mongodbatlas_*cluster confluent_kafka_cluster ec_deployment
    *_db_system *_blockstorage_volume_v* *_core_volume kafka_topic elasticstack_elasticsearch_index
    cloudflare_zone cloudflare_workers_kv_namespace
    digitalocean_droplet hcloud_server linode_instance vsphere_virtual_machine
    *_core_instance *_compute_instance_v2 proxmox_vm_qemu proxmox_virtual_environment_vm
    vultr_instance upcloud_server scaleway_instance_server exoscale_compute_instance
    *_kubernetes_cluster rancher2_cluster rancher2_cluster_v2 *_rdb_instance *_redis_cluster *_dbaas *_database_*_v2
    aiven_pg aiven_mysql aiven_kafka aiven_redis aiven_opensearch aiven_clickhouse aiven_cassandra aiven_valkey
    neon_project planetscale_* supabase_project cockroach_cluster clickhouse_service rediscloud_subscription
    snowflake_table snowflake_schema databricks_catalog databricks_schema databricks_sql_table databricks_table
    databricks_volume rabbitmq_queue rabbitmq_vhost postgresql_schema tfe_workspace vault_namespace *_filesystem
    opensearch_index elasticsearch_index pulsar_topic *_registry_namespace`,
  encryption:
    'kubernetes_secret* vault_*secret* vault_mount vault_pki_* *_certificate_pack *_origin_ca_certificate *_key_manager_key',
  iam: `
    kubernetes_*role* github_*collaborator* github_team_repository github_membership github_team_membership
    gitlab_*_membership azuread_* okta_* auth0_* keycloak_* vault_policy vault_*_role
    vault_token* vault_identity_* cloudflare_api_token cloudflare_account_member *_iam_policy* *_iam_role* *_iam_user*
    postgresql_role postgresql_grant* mysql_grant mysql_user snowflake_user tfe_team* tfe_organization_membership
    databricks_grant* databricks_permissions
    datadog_role* datadog_user snowflake_grant* snowflake_*role* mongodbatlas_database_user`,
  security: `
    kubernetes_network_policy* github_branch_protection* gitlab_branch_protection
    github_repository_ruleset github_organization_ruleset github_actions_*_permissions
    cloudflare_ruleset cloudflare_firewall_rule cloudflare_filter cloudflare_access_* cloudflare_zero_trust_access_*
    cloudflare_zone_setting* mongodbatlas_project_ip_access_list *_networking_secgroup* *_security_group*
    vault_auth_backend vault_*_auth_backend vault_audit* kubernetes_*webhook_configuration* kubernetes_pod_security_policy*
    *_database_firewall *_network_security_group*`,
  network: `
    kubernetes_ingress* kubernetes_service kubernetes_service_v1 cloudflare_record cloudflare_dns_record
    cloudflare_*tunnel* cloudflare_*worker*_route cloudflare_spectrum_application fastly_service_* akamai_property
    *_firewall *_load_balancer *_loadbalancer *_dns_record *_dns_zone *_zone_record ns1_record ns1_zone dnsimple_record
    digitalocean_domain digitalocean_record *_vpc *_subnet *_private_network *_floating_ip *_reserved_ip`,
};
