import type { RawRequest } from '../client.ts';

const MOST_SHOWN = 1_500;

/** A curl command that sends the same request. A long body is truncated and marked as such. */
export function toCurl(url: string, { method, path, headers, body, framing }: RawRequest): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => `-H ${quote(one === '' ? `${name};` : `${name}: ${one}`)}`),
  );
  const target = quote(url + path);
  if (framing === 'both') lines.push("-H 'Transfer-Encoding: chunked'", `-H 'Content-Length: ${body?.length ?? 0}'`);
  if (framing === 'chunked') lines.push("-H 'Transfer-Encoding: chunked'");
  const parts = ['curl', '--path-as-is', '-i', '-X', method, target, ...lines];
  if (body === undefined) return parts.join(' ');
  const cut = body.length > MOST_SHOWN ? ` # the first ${MOST_SHOWN} of ${body.length} bytes` : '';
  const bytes = body.subarray(0, MOST_SHOWN).toString('base64');
  return `echo ${bytes} | base64 -d | ${[...parts, '--data-binary', '@-'].join(' ')}${cut}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
