import type { RestReply } from '../rest-server.ts';

/** An error of a JSON protocol. */
export function jsonError(status: number, code: string, message: string): RestReply {
  return {
    status,
    body: { __type: `com.amazon.coral.service#${code}`, Message: message },
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amzn-requestid': '795eddad-cfdf-4c87-a31d-7d23fb938291',
    },
  };
}

/** An error of a REST service, which names the error in a header. */
export function restError(status: number, code: string, message: string): RestReply {
  return { status, body: { Message: message }, headers: { 'x-amzn-errortype': code } };
}

/** An error of the query protocol of STS. */
export function stsError(status: number, code: string, message: string): RestReply {
  const text = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>
  <RequestId>af0f7b07-5208-11e3-81b2-cfe47957f7e6</RequestId>
</ErrorResponse>`;
  return xml(status, text);
}

export function xml(status: number, text: string): RestReply {
  return { status, text, headers: { 'content-type': 'text/xml' } };
}

export function stsResult(action: string, result: string): RestReply {
  const text = `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>${result}</${action}Result><ResponseMetadata><RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId></ResponseMetadata></${action}Response>`;
  return xml(200, text);
}
