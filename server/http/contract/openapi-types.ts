/** As much of OpenAPI 3.1 as this layer reads, with the extensions of `openapi.yaml`. */
import type { ErrorClass } from '../../lib/error-classes.ts';

export interface OpenapiDocument {
  openapi: string;
  info: { title: string; summary: string; version: string; description?: string };
  servers: { url: string }[];
  paths: Record<string, PathItem>;
  components: {
    securitySchemes: Record<string, unknown>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    responses: Record<string, Response>;
    schemas: Record<string, Schema>;
  };
}

export type HttpMethod = 'get' | 'put' | 'post' | 'delete' | 'patch';

export type PathItem = { parameters?: (Parameter | Ref)[] } & Partial<Record<HttpMethod, OperationObject>>;

export interface Ref {
  $ref: string;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: (Parameter | Ref)[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response | Ref>;
  'x-access': Access;
  /** Most bytes of the body after decompression; 1 MiB unless said otherwise. */
  'x-body-limit'?: number;
  'x-body-limit-hint'?: string;
  /** `oauth`: errors are worded as OAuth 2.0 wants them. */
  'x-error-form'?: 'oauth';
  /** Members of the success body that are shown once: a replay of the answer leaves them out. */
  'x-secret-fields'?: string[];
  /** Headers that must not be sent, each with the error_class of the refusal. */
  'x-refused-headers'?: Record<string, ErrorClass>;
}

/** Who may call an operation; the middleware and the tests read the same object. */
export interface Access {
  credential: 'oidc' | 'any' | 'none';
  /**
   * `required`: the caller must be one; an API key never is. `also`: one may call it for every organization, member of it
   * or not.
   */
  platform_admin?: 'required' | 'also';
  /** The least role in the organization of the path. */
  role?: 'viewer' | 'member' | 'admin' | 'owner';
  /** What an API key must be allowed. */
  scope?: string;
  /** `exempt`: any API key of the organization will do, whatever its scopes and the role of its owner. */
  key?: 'exempt';
  /** Below the least role it is allowed for what is the caller's own; the handler decides. */
  self?: true;
  /** A limit of its own, beside the general ones. */
  rate_limit?: string;
  /** Actions that it writes to the audit log. */
  audit?: string[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  description?: string;
  required?: boolean;
  schema: Schema;
  /** Form of an id in the path; a malformed one is 404. */
  'x-id'?: 'uuid' | 'fingerprint' | 'trace';
  /** A larger number counts as this one. */
  'x-clamp'?: number;
}

export interface Header {
  description?: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Ref>;
  content?: Record<string, MediaType>;
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  uniqueItems?: boolean;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minProperties?: number;
  pattern?: string;
  /** What the pattern asks for, as the end of a sentence that begins with the name of the field: `must be …`. */
  'x-pattern-hint'?: string;
  enum?: unknown[];
  /** Members that may grow; a reader takes unknown ones. */
  'x-extensible-enum'?: string[];
  allOf?: Schema[];
  oneOf?: Schema[];
  /** Which of `oneOf` is meant, told by the value of one member. */
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  /** Text that is not ours to judge: NUL and lone surrogates in it are let through. */
  'x-verbatim'?: boolean;
  /**
   * What a request holds here is described in full for its callers, and judged by the domain, which names every fault:
   * the HTTP layer sees to this type alone.
   */
  'x-checked-as'?: 'object' | 'array';
}
