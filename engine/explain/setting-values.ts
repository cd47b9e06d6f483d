import documented from './data/documented-values.json' with { type: 'json' };

/**
 * Setting values that `npm run effects` does not find in the documentation. A fixed list, because a format cannot
 * distinguish a setting such as `private` from a password such as `sesame`.
 */
const LISTS = `
  enabled disabled enable disable on off yes no true false none null all any default auto automatic manual required
  optional allow deny permit block reject accept drop active inactive pending suspended stopped running
  public private internal external internet-facing inbound outbound ingress egress
  tcp udp icmp icmpv6 esp ah sctp http https http2 grpc tls ssl ssh rdp dns tcp_udp ipv4 ipv6 dualstack
  get put post head delete patch options
  private-read public-read public-read-write authenticated-read bucket-owner-read bucket-owner-full-control
  log-delivery-write aws-exec-read blob container storage object
  bucketownerenforced bucketownerpreferred objectwriter inherited enforced unspecified
  standard premium basic free developer business enterprise burstable generalpurpose memoryoptimized hyperscale
  standard_ia onezone_ia intelligent_tiering glacier glacier_ir deep_archive reduced_redundancy nearline coldline archive
  regional multi_regional dual-region hot cool cold
  gp2 gp3 io1 io2 st1 sc1 pd-standard pd-balanced pd-ssd pd-extreme standard_lrs standard_grs standard_zrs premium_lrs
  lrs grs zrs ragrs gzrs ragzrs
  mysql postgres postgresql mariadb sqlserver-se sqlserver-ee sqlserver-ex sqlserver-web oracle-ee oracle-se2
  aurora-mysql aurora-postgresql redis valkey memcached kafka rabbitmq activemq opensearch elasticsearch
  aes256 aws:kms aws:kms:dsse sse-kms sse-s3 kms symmetric_default rsa_2048 rsa_3072 rsa_4096 ecc_nist_p256 ecc_nist_p384
  encrypt_decrypt sign_verify cmek cmk google_default_encryption encrypt_only
  tlsv1 tlsv1.1 tlsv1.2 tlsv1.3 tls1_0 tls1_1 tls1_2 tls1_3 tls_1_0 tls_1_1 tls_1_2 tls_1_3 tls10 tls11 tls12 tls13
  elbsecuritypolicy-2016-08 elbsecuritypolicy-tls13-1-2-2021-06 compatible modern restricted custom
  zonal single-az multi-az zone_redundant zoneredundant samezone
  on_demand spot fargate fargate_spot ec2 external_managed provisioned pay_per_request dedicated host
  retain snapshot destroy abandon prevent immediate rolling recreate canary blue_green
  always never ifnotpresent onfailure unlessstopped
  x86_64 arm64 amd64 linux windows zip image nodejs18.x nodejs20.x nodejs22.x python3.10 python3.11 python3.12 python3.13
  clusterip nodeport loadbalancer externalname
  low medium high critical info debug warn warning error
  allusers allauthenticatedusers anyone everyone anonymous authenticated projectowners projecteditors projectreaders
  system:authenticated system:unauthenticated system:anonymous system:masters system:serviceaccounts cluster-admin
  report report_only report-only log_only log-only dry_run dry-run monitor observe shadow
`;

const KNOWN: ReadonlySet<string> = new Set(LISTS.split(/\s+/).filter((word) => word !== ''));
let all: ReadonlySet<string> | undefined;

/** Whether a text is a known setting value, ignoring case: one of the list, or one that the documentation of a provider lists. */
export function isSettingValue(text: string): boolean {
  const word = text.toLowerCase();
  if (KNOWN.has(word)) return true;
  all ??= new Set(documented.words.split(' '));
  return all.has(word);
}
