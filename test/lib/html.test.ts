import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { html, trusted, untrusted } from '../../server/lib/html.ts';

test('a value cannot leave the element or the attribute in which it stands', () => {
  const hostile = `"><script>alert(1)</script><a href='javascript:alert(1)'>&amp;`;

  expect(html`<p title="${hostile}">${hostile}</p>`.text).not.toMatch(/<(script|a)/);
});

const DECODED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

test('any text is written without a character of HTML, and can be read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const written = html`${text}`.text;

      expect(written.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[&<>"']/);
      expect(written.replace(/&([a-z#0-9]+);/g, (_, name) => DECODED[name] ?? '?')).toBe(text);
    }),
  );
});

test('HTML and lists of HTML are inserted as they are, numbers as digits', () => {
  const items = ['<a>', 'b'].map((item) => html`<li>${item}</li>`);

  expect(html`<ul>${items}</ul>${trusted('<hr>')}${7}`.text).toBe('<ul><li>&lt;a&gt;</li><li>b</li></ul><hr>7');
});

test('text that others chose shows characters that turn or hide text as escapes', () => {
  expect(untrusted('a\u202eb\u0000\n<').text).toBe('<bdi>a\\u{202e}b\\u{0}\\n&lt;</bdi>');
});
