/**
 * What stateful types hold, as globs. The first list that matches decides; a type on no list has the kind `data`.
 * `key` is key material and settings that bind data to a key; it also applies to types that are not stateful.
 */
export const KEY_TYPES = `
  aws_cloudhsm_v2_* aws_kms_custom_key_store aws_kms_*key aws_paymentcryptography_key
  aws_acmpca_certificate_authority google_privateca_certificate_authority
  google_kms_crypto_key google_kms_crypto_key_version google_kms_key_ring
  azurerm_key_vault_key azurerm_key_vault_managed_hardware_security_module_key
  azurerm_disk_encryption_set azurerm_storage_encryption_scope azurerm_netapp_account_encryption
  *_transparent_data_encryption *_hardware_security_module azurerm_confidential_ledger`;

/** Deleting a resource of these types deletes everything in it. */
export const CONTAINER_TYPES = `
  google_project google_folder azurerm_resource_group azurerm_subscription azurerm_management_group
  kubernetes_namespace* kubernetes_custom_resource_definition cloudflare_zone vault_namespace rabbitmq_vhost`;

/** Hosts, nodes, queues, copies and logs: deleting one causes an outage or loses a copy, not the only data. */
export const REBUILDABLE_TYPES = `
  aws_instance aws_spot_instance_request aws_lightsail_instance azurerm_*virtual_machine*
  google_compute_instance google_compute_instance_from_* google_compute_*instance_group*
  *_node_pool azurerm_synapse_spark_pool *_cluster_instance google_alloydb_instance
  aws_ecs_cluster aws_emr_cluster google_dataproc_cluster aws_dax_cluster azurerm_kubernetes_fleet_*
  *_notebook* google_workbench_instance google_memcache_instance aws_workspaces_workspace
  aws_transfer_server aws_dms_replication_instance google_dataflow_* aws_appflow_flow
  aws_kinesis_firehose_delivery_stream google_datastream_stream azurerm_stream_analytics_*
  azurerm_eventgrid_* azurerm_cognitive_* *_failover_group *_disaster_recovery_config
  aws_glue_catalog_* aws_athena_database *_volume_attachment *_attached_disk
  aws_sqs_queue google_pubsub_topic google_pubsub_subscription google_cloud_tasks_queue
  azurerm_servicebus_queue azurerm_servicebus_topic azurerm_servicebus_subscription
  *_snapshot* aws_ami* *_image *_image_version *_backup *_restore_point*
  aws_cloudwatch_log_group azurerm_application_insights aws_ssm_parameter
  digitalocean_droplet hcloud_server linode_instance vsphere_virtual_machine
  vultr_instance upcloud_server scaleway_instance_server exoscale_compute_instance rabbitmq_queue
  *_core_instance *_compute_instance_v2 proxmox_vm_qemu proxmox_virtual_environment_vm`;

/** Single items of content, or settings of a data store. */
export const PART_TYPES = `
  aws_s3_object* aws_s3_bucket_object google_storage_bucket_object google_storage_*folder
  azurerm_storage_blob azurerm_storage_share_file azurerm_storage_share_directory
  *_table_item *_table_entity google_firestore_document google_firestore_index google_firestore_field
  *_lifecycle_configuration *_bucket_versioning *_replication_configuration *_object_replication
  *_lock_configuration *_vault_lock *_backup_plan *_backup_selection *_backup_instance_*
  azurerm_backup_protected_* azurerm_backup_container_* google_gke_backup_* aws_datasync_location_*
  *_attachment *_association *_queue_properties *_table_properties *_bucket_config
  *_hosted_zone_dnssec *_streaming_destination *_table_export *_transfer_job *_import_job
  google_bigquery_job google_bigtable_*_view azurerm_machine_learning_datastore_*
  *_volume_replication *_geo_replication *_async_replication *_per_instance_config
  aws_lakeformation_resource *_pubsub_schema *_routine *_reservation* aws_athena_workgroup`;
