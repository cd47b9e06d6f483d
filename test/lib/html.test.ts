import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { html, trusted, untrusted } from '../../server/lib/html.ts';

test('a value cannot close its element or attribute', () => {
  const hostile = `"><script>alert(1)</script><a href='javascript:alert(1)'>&amp;`;

  expect(html`<p title="${hostile}">${hostile}</p>`.text).not.toMatch(/<(script|a)/);
});

const DECODED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

test('any text is escaped to text without HTML syntax, and can be read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const written = html`${text}`.text;

      expect(written.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[&<>"']/);
      expect(written.replace(/&([a-z#0-9]+);/g, (_, name) => DECODED[name] ?? '?')).toBe(text);
    }),
  );
});

test('HTML and lists of HTML are inserted unchanged, and numbers as digits', () => {
  const items = ['<a>', 'b'].map((item) => html`<li>${item}</li>`);

  expect(html`<ul>${items}</ul>${trusted('<hr>')}${7}`.text).toBe('<ul><li>&lt;a&gt;</li><li>b</li></ul><hr>7');
});

test('untrusted text shows characters that reverse or hide text as escapes', () => {
  expect(untrusted('a\u202eb\u0000\n<').text).toBe('<bdi>a\\u{202e}b\\u{0}\\n&lt;</bdi>');
});
