/** Names that try to notify people, to show links, to break the markup or to hide themselves. */
export const HOSTILE_NAMES: readonly string[] = [
  ...['<!channel>', '<!here>', '<!everyone>', '<@U0123456789>', '<#C0123456789>', '<!subteam^S0123456789>'],
  ...['@channel', '@here', '@everyone', '@ana', 'ana@example.org', '<at>Ana</at>', '<users/all>', '@acme/admins'],
  ...[
    'https://evil.example',
    'http://evil.example/a?b=c',
    '<https://evil.example|prod>',
    '[prod](https://evil.example)',
  ],
  ...['![x](https://evil.example/x.png)', '<https://evil.example>', '//evil.example', 'www.evil.example'],
  ...['mailto:ana@evil.example', '<mailto:a@evil.example|mail>', 'slack://user?team=T1&id=U1', 'javascript:alert(1)'],
  ...['data:text/html,<b>x</b>', 'ftp://evil.example', 'HTTPS://EVIL.EXAMPLE', 'https://evil.example\u202egnp.exe'],
  ...['*bold*', '_italic_', '~gone~', '`code`', '```\nblock\n```', '> quote', '# heading', '- item', '1. item', '---'],
  ...['a\nb', 'a\r\nb', 'a\u2028b', '\u0000', '\u0007bell', '\u001b[31mred', 'a\tb', '\u202eevil', '\u200b', '\u00ad'],
  ...['&lt;!channel&gt;', '&amp;lt;', '<script>alert(1)</script>', '<img src=https://evil.example>', '"><a href=x>'],
  ...[
    '{"type":"header"}',
    '\\n*x*',
    '`<!channel>`',
    'a`b<!here>`c',
    ':skull:',
    '<!date^1^{date}^https://evil.example|x>',
  ],
  ...['Subject: x\r\nBcc: ana@evil.example', 'x'.repeat(5_000), '<'.repeat(3_000), '`'.repeat(3_000), '', ' '],
];
