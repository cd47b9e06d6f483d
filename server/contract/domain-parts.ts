/** What a domain adds to the service, and what it declares about itself. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Db, SealedColumn } from '../db/index.ts';
import type { JobDefinition, Sweep } from '../queue/index.ts';
import type { components } from './openapi.d.ts';
import type { DomainOperationId, Handlers } from './operation.ts';

type Schemas = components['schemas'];
export type LimitName = Schemas['LimitName'];
export type OrgSettings = Schemas['OrgSettings'];

/** `specified`: the interface specification lists the action; a deployment may leave out rows of `additional` ones. */
export type AuditEventKind = 'specified' | 'additional';

/** How many of a limited resource an organization uses now. */
export type CountUsage = (read: Db, org_id: string, now: Date) => Promise<number>;

/** All that one domain adds; the fields that it does not need are left out. */
export interface DomainParts {
  /** The name of its folder. */
  domain: string;
  handlers: Partial<Handlers>;
  path_checks?: PathChecks;
  body_readers?: BodyReaders;
  jobs?: readonly JobDefinition[];
  sweeps?: readonly Sweep[];
  /** Columns that hold encrypted records; `dpa keys rotate` encrypts them again. */
  sealed_columns?: readonly SealedColumn[];
  /** Actions that it writes to the audit log. */
  audit_events?: Readonly<Record<string, AuditEventKind>>;
  /** Settings of an organization that it reads, with their defaults. */
  settings?: Partial<OrgSettings>;
  /** Limits of an organization that it enforces. */
  limits?: readonly LimitName[];
  /** Counts what those limits are about: shown and enforced by the same function. */
  usage?: Partial<Record<LimitName, CountUsage>>;
}

/** What all domains together have declared; complete when all of them are made. */
export interface Declarations {
  audit_events: Map<string, AuditEventKind>;
  settings: Partial<OrgSettings>;
  usage: Partial<Record<LimitName, CountUsage>>;
}

/** `body` is what the contract check sees; `attachment` reaches the handler as it is. */
export interface ReadBody {
  body: unknown;
  attachment: unknown;
}

/** Where the path of an admitted request leads; its ids are well-formed. */
export interface PathContext {
  /** Empty outside of organizations. */
  org_id: string;
  path: Record<string, string>;
}

/**
 * Sees that the record which the path names exists, before the query and the body are looked at.
 *
 * @throws NotFound
 */
export type PathChecks = Partial<Record<DomainOperationId, (context: PathContext) => Promise<unknown>>>;

/** What is known of a request before anything of its body is read. */
export interface BodyContext {
  operation_id: DomainOperationId;
  request_id: string;
  headers: IncomingHttpHeaders;
  path: Record<string, string>;
  /** null outside of organizations. */
  org_id: string | null;
  /** Of the caller. */
  address: string;
}

/** One body on its way. */
export interface BodyReading {
  /** Bodies of one key share a part of the memory for bodies; the organization, else the caller, unless given. */
  key?: string;
  /** Sees every part of the body as it comes. */
  update?(chunk: Uint8Array): void;
  /** Reads the whole body, which it owns and may transfer. @throws ServiceError */
  end(raw: Buffer): Promise<ReadBody>;
}

/**
 * Decides, before its first byte is read, how the body of one operation is read instead of as strict JSON on the event
 * loop.
 *
 * @throws ServiceError to refuse the request without its body
 */
export type OpenBody = (context: BodyContext) => Promise<BodyReading>;

export type BodyReaders = Partial<Record<DomainOperationId, OpenBody>>;
