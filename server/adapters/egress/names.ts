/** Suffixes of names in private or non-existent networks. RFC 6761, 6762, 8375, 9476; ICANN's .internal */
const PRIVATE_ENDS = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
  'test',
  'invalid',
  'alt',
  'onion',
  'svc',
  'consul',
  'docker',
];

/** Public names of cloud metadata services, which serve credentials. */
const METADATA_ENDS = [
  'metadata.goog',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
];

/** Services whose names resolve to the address written in them, or to loopback. */
const ECHO_ENDS = ['nip.io', 'sslip.io', 'xip.io', 'localtest.me', 'lvh.me', 'vcap.me', 'lacolhost.com'];

const ENDS = [...PRIVATE_ENDS, ...METADATA_ENDS, ...ECHO_ENDS];
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const MAX_LENGTH = 253;

/** More suffixes of internal cloud networks. */
const METADATA_NAMES = [
  'metadata',
  'instance-data',
  'metadata.google.internal',
  'metadata.azure.internal',
  'instance-data.ec2.internal',
];

/** Whether this is the name of a cloud metadata service, which serves credentials. */
export function isMetadataName(name: string): boolean {
  return isOrEndsWith(name.replace(/\.$/, ''), [...METADATA_ENDS, ...METADATA_NAMES]);
}

/**
 * Whether this can be the name of a public server: at least two valid labels, and no suffix that is known to be
 * private.
 */
export function isPublicName(name: string): boolean {
  const labels = name.split('.');
  if (labels.length < 2 || name.length > MAX_LENGTH || !labels.every((label) => LABEL.test(label))) return false;
  return !isOrEndsWith(name, ENDS);
}

function isOrEndsWith(name: string, ends: readonly string[]): boolean {
  return ends.some((end) => name === end || name.endsWith(`.${end}`));
}
