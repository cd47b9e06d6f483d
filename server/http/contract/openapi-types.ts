/** The parts of OpenAPI 3.1 that this layer reads, with the extensions of `openapi.yaml`. */
import type { ErrorClass } from '../../lib/error-classes.ts';

export interface OpenapiDocument {
  openapi: string;
  info: { title: string; summary: string; version: string; description?: string };
  servers: { url: string }[];
  paths: Record<string, PathItem>;
  /** Events that the service sends. */
  webhooks: Record<string, unknown>;
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
  /** Maximum size of the body after decompression in bytes; 1 MiB by default. */
  'x-body-limit'?: number;
  'x-body-limit-hint'?: string;
  /** `oauth`: errors have the OAuth 2.0 form. */
  'x-error-form'?: 'oauth';
  /** Members of the success body that are shown only once: a replayed response omits them. */
  'x-secret-fields'?: string[];
  /** Headers that must not be sent, each with the error_class of the error. */
  'x-refused-headers'?: Record<string, ErrorClass>;
}

/** Who can call an operation; middleware and tests read the same object. */
export interface Access {
  credential: 'oidc' | 'any' | 'none';
  /**
   * `required`: the caller must be a platform admin; an API key never is. `also`: a platform admin can call it for
   * every organization.
   */
  platform_admin?: 'required' | 'also';
  /** Minimum role in the organization of the path. */
  role?: 'viewer' | 'member' | 'admin' | 'owner';
  /** Scope that an API key needs. */
  scope?: string;
  /** `exempt`: any API key of the organization is accepted, whatever its scopes and the role of its owner. */
  key?: 'exempt';
  /** Below the minimum role it is allowed for the caller's own records; the handler decides. */
  self?: true;
  /** An additional limit beside the general ones. */
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
  example?: unknown;
  /** Pattern of an id in the path; a malformed one is 404. */
  'x-id'?: 'uuid' | 'fingerprint' | 'trace' | 'handle';
  /** A larger number is reduced to this one. */
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
  /** The meaning of the pattern, as the end of a sentence that starts with the name of the field: `must be …`. */
  'x-pattern-hint'?: string;
  enum?: unknown[];
  /** Enums that may grow; clients must accept unknown values. */
  'x-extensible-enum'?: string[];
  allOf?: Schema[];
  oneOf?: Schema[];
  /** The member whose value selects one of `oneOf`. */
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  /** Text that this layer does not check: NUL and unpaired surrogates in it are accepted. */
  'x-verbatim'?: boolean;
  /**
   * The HTTP layer checks only this type; the full schema is documentation, and the domain validates the value and
   * reports every fault.
   */
  'x-checked-as'?: 'object' | 'array';
}
