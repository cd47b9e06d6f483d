/** URLs that an attacker may try, and URLs that customers need. */

/** IPv4 addresses that are not on the public internet, one or two of each kind. */
const PRIVATE_V4 = [
  '0.0.0.0',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
const parts = (address: string) => address.split('.').map(Number) as [number, number, number, number];
const words = (address: string) => {
  const [a, b, c, d] = parts(address);
  return `${hex(a * 256 + b, 4)}:${hex(c * 256 + d, 4)}`;
};
const inverted = (address: string) =>
  words(
    parts(address)
      .map((byte) => 255 - byte)
      .join('.'),
  );

/** All notations of an IPv4 address that some program accepts. */
const NOTATIONS: ((address: string) => string)[] = [
  (address) => address,
  (address) => `${address}.`,
  (address) => String(parts(address).reduce((sum, byte) => sum * 256 + byte, 0)),
  (address) =>
    `0x${parts(address)
      .map((byte) => hex(byte, 2))
      .join('')}`,
  (address) =>
    parts(address)
      .map((byte) => `0x${hex(byte, 2)}`)
      .join('.'),
  (address) =>
    parts(address)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  (address) => {
    const [a, b, c, d] = parts(address);
    return `${a}.${b}.${c * 256 + d}`;
  },
  (address) => address.replaceAll('.', '%2e'),
  (address) => address.replaceAll('.', '\u3002'),
  (address) => address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (address) => `[::${address}]`,
  (address) => `[::${words(address)}]`,
  (address) => `[::ffff:${address}]`,
  (address) => `[0:0:0:0:0:ffff:${words(address)}]`,
  (address) => `[::ffff:0:${address}]`,
  (address) => `[64:ff9b::${address}]`,
  (address) => `[64:ff9b:1::${words(address)}]`,
  (address) => `[2002:${words(address)}::1]`,
  (address) => `[2001:0:4136:e378:8000:63bf:${inverted(address)}]`,
];

const SINGLE = [
  // IPv6 that is not public
  'https://[::1]/',
  'https://[::]/',
  'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  'https://[fec0::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fd20:ce::254]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[5f00::1]/',
  'https://[100::1]/',
  'https://[2001:2::1]/',
  'https://[2001:20::1]/',
  'https://[4000::1]/',
  'https://[8000::1]/',
  // internal names
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://a.localhost/',
  'https://localhost.localdomain/',
  'https://metadata/',
  'https://instance-data/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://METADATA.GOOGLE.INTERNAL/',
  'https://metadata.google.internal./',
  'https://metadata.goog/',
  'https://instance-data.ec2.internal/',
  'https://metadata.tencentyun.com/',
  'https://metadata.platformequinix.com/',
  'https://host.docker.internal/',
  'https://gateway.docker.internal/',
  'https://kubernetes.default.svc/',
  'https://kubernetes.default.svc.cluster.local/',
  'https://vault.service.consul/',
  'https://postgres/',
  'https://redis/',
  'https://printer.local/',
  'https://wiki.corp/',
  'https://wiki.intranet/',
  'https://router.lan/',
  'https://nas.home.arpa/',
  'https://1.0.0.127.in-addr.arpa/',
  'https://x.test/',
  'https://x.invalid/',
  'https://x.onion/',
  'https://127.0.0.1.nip.io/',
  'https://7f000001.sslip.io/',
  'https://localtest.me/',
  'https://app.lvh.me/',
  'https://ⓛocalhost/',
  'https://ｌocalhost/',
  'https://local\u00adhost/',
  'https://example/',
  'https://example.com./',
  'https://-bad.example.com/',
  `https://${'a'.repeat(64)}.example.com/`,
  `https://${'abcdefgh.'.repeat(40)}example.com/`,
  `https://example.com/${'a'.repeat(2_000)}`,
  // users, ports, schemes
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://@example.com/',
  'https://:@example.com/',
  'https://example.com@127.0.0.1/',
  'https://example.com%40@127.0.0.1/',
  'https://127.0.0.1#@example.com/',
  'https://127.0.0.1\\@example.com/',
  'https://example.com\\@127.0.0.1/',
  'https://127.0.0.1?@example.com/',
  'https://example.com:0/',
  'https://example.com:22/',
  'https://example.com:25/',
  'https://example.com:80/',
  'https://example.com:2375/',
  'https://example.com:5432/',
  'https://example.com:6379/',
  'https://example.com:9200/',
  'https://example.com:11211/',
  'https://example.com:65536/',
  'https://example.com:443:80/',
  'http://example.com/',
  'HTTP://example.com/',
  'ftp://example.com/',
  'gopher://example.com/',
  'file:///etc/passwd',
  'dict://example.com/',
  'ldap://example.com/',
  'ws://example.com/',
  'javascript:alert(1)',
  'data:application/json,{}',
  'blob:https://example.com/x',
  'https:example.com',
  'https:/example.com',
  'https:///example.com',
  'https://',
  'https://?x',
  '//example.com/',
  'example.com',
  '',
  // characters that URL parsers drop or read differently
  ' https://example.com/',
  'https://example.com/ ',
  'https://exam\nple.com/',
  'https://example.com/\r\nHost: evil.example.com',
  'https://127.0.0.1\t/',
  'https://example.com/\u0000',
  'https:\\\\example.com\\',
  'https://[::1/',
  'https://::1/',
  'https://[127.0.0.1]/',
  'https://1.2.3.4.5/',
  'https://256.256.256.256/',
  'https://0/',
  'https://127.1/',
  'https://0177.1/',
];

export const REFUSED = [
  ...PRIVATE_V4.flatMap((address) => NOTATIONS.map((write) => `https://${write(address)}/`)),
  ...SINGLE,
];

export const ACCEPTED = [
  'https://token.actions.githubusercontent.com',
  'https://gitlab.com',
  'https://gitlab.example.com/',
  'https://example.com:443/',
  'https://example.com:8443/hook',
  'HTTPS://Example.COM/Path?query=1#part',
  'https://xn--bcher-kva.example.com/',
  'https://bücher.example.com/',
  'https://sub_domain.example.com/',
  'https://a.b.c.d.e.example.co.uk/x',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://metadata.example.com/',
  'https://example.com/a@b',
  'https://8.8.8.8/',
  'https://1.1.1.1:8443/',
  'https://172.32.0.1/',
  'https://100.128.0.1/',
  'https://169.253.1.1/',
  'https://[2606:4700:4700::1111]/',
  'https://[2a00:1450:4001:81b::200e]/',
  'https://app.terraform.io/api/v2/',
];
