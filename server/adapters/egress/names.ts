/** Ends of names that lead into a private network, or nowhere. RFC 6761, 6762, 8375, 9476; ICANN's .internal */
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

/** Public names of what a cloud tells its own machines about their credentials. */
const METADATA_ENDS = [
  'metadata.goog',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
];

/** Names that answer with the address written in them, or with loopback: nobody's real server. */
const ECHO_ENDS = ['nip.io', 'sslip.io', 'xip.io', 'localtest.me', 'lvh.me', 'vcap.me', 'lacolhost.com'];

const ENDS = [...PRIVATE_ENDS, ...METADATA_ENDS, ...ECHO_ENDS];
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const MAX_LENGTH = 253;

/** Further names of the same, of the networks of clouds. */
const METADATA_NAMES = [
  'metadata',
  'instance-data',
  'metadata.google.internal',
  'metadata.azure.internal',
  'instance-data.ec2.internal',
];

/** Whether this is a name under which a cloud tells its machines about their credentials. */
export function isMetadataName(name: string): boolean {
  return isOrEndsWith(name.replace(/\.$/, ''), [...METADATA_ENDS, ...METADATA_NAMES]);
}

/** Whether this may be the name of a public server: whole labels, more than one, no end that is known to be private. */
export function isPublicName(name: string): boolean {
  const labels = name.split('.');
  if (labels.length < 2 || name.length > MAX_LENGTH || !labels.every((label) => LABEL.test(label))) return false;
  return !isOrEndsWith(name, ENDS);
}

function isOrEndsWith(name: string, ends: readonly string[]): boolean {
  return ends.some((end) => name === end || name.endsWith(`.${end}`));
}
