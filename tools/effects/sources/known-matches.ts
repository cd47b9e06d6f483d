/** Resources of types that similarity pairs wrongly or not at all; null if no resource documents the type. */
export const KNOWN_MATCHES: Readonly<Record<string, string | null>> = {
  aws_api_gateway_client_certificate: 'apigateway/clientCertificate',
  aws_appconfig_application: 'appconfig/application',
  aws_media_store_container: 'mediastore/container',
  aws_service_discovery_http_namespace: 'servicediscovery/httpNamespace',
  google_beyondcorp_application_iam_binding: null,
  google_beyondcorp_application_iam_member: null,
  google_compute_shared_vpc_host_project: 'compute/sharedVPCHostProject',
  azurerm_private_dns_a_record: 'privatedns/arecord',
  azurerm_private_dns_aaaa_record: 'privatedns/aaaarecord',
  azurerm_private_dns_ptr_record: 'privatedns/ptrrecord',
  azurerm_private_dns_srv_record: 'privatedns/srvrecord',
  mongodbatlas_teams: null,
};
