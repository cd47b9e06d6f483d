/** What a domain adds to the service and declares about itself. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Db, SealedColumn } from '../db/index.ts';
import type { JobDefinition, Loop, Sweep } from '../queue/index.ts';
import type { components } from './openapi.d.ts';
import type { DomainOperationId, Handlers } from './operation.ts';

type Schemas = components['schemas'];
export type LimitName = Schemas['LimitName'];
export type OrgSettings = Schemas['OrgSettings'];

/** `specified`: the interface specification lists the action; a deployment can leave out `additional` ones. */
export type AuditEventKind = 'specified' | 'additional';

/** How many of a limited resource an organization currently uses. */
export type CountUsage = (read: Db, org_id: string, now: Date) => Promise<number>;

/** The declarations of one domain; unused fields are omitted. */
export interface DomainParts {
  /** Name of the domain's folder. */
  domain: string;
  handlers: Partial<Handlers>;
  path_checks?: PathChecks;
  body_readers?: BodyReaders;
  jobs?: readonly JobDefinition[];
  /** Run by one scheduler at a time. */
  sweeps?: readonly Sweep[];
  /** Run by every scheduler at the same time. */
  loops?: readonly Loop[];
  /** Columns that contain encrypted records; `dpa keys rotate` encrypts them again. */
  sealed_columns?: readonly SealedColumn[];
  /** Actions that the domain writes to the audit log. */
  audit_events?: Readonly<Record<string, AuditEventKind>>;
  /** Settings of an organization that the domain reads, with their defaults. */
  settings?: Partial<OrgSettings>;
  /** Limits of an organization that the domain enforces. */
  limits?: readonly LimitName[];
  /** Counts the usage of those limits, both for showing and for enforcing them. */
  usage?: Partial<Record<LimitName, CountUsage>>;
}

/** The declarations of all domains together; complete after all domains are created. */
export interface Declarations {
  audit_events: Map<string, AuditEventKind>;
  settings: Partial<OrgSettings>;
  usage: Partial<Record<LimitName, CountUsage>>;
}

/** `body` is validated against the contract; `attachment` is passed to the handler unchanged. */
export interface ReadBody {
  body: unknown;
  attachment: unknown;
}

/** The path parameters of an admitted request; its ids are well-formed. */
export interface PathContext {
  /** Empty outside of organizations. */
  org_id: string;
  path: Record<string, string>;
}

/**
 * Checks that the record of the path exists, before the query and the body are validated.
 *
 * @throws NotFound
 */
export type PathChecks = Partial<Record<DomainOperationId, (context: PathContext) => Promise<unknown>>>;

/** The facts of a request before its body is read. */
export interface BodyContext {
  operation_id: DomainOperationId;
  request_id: string;
  headers: IncomingHttpHeaders;
  path: Record<string, string>;
  /** null outside of organizations. */
  org_id: string | null;
  /** Key of the caller. */
  address: string;
}

/** A body that is being received. */
export interface BodyReading {
  /** Bodies of one key share a part of the memory for bodies; the default is the organization, or else the caller. */
  key?: string;
  /** A large file, which has memory of its own, so that it cannot make other bodies wait. */
  is_file?: boolean;
  /** Receives every chunk of the body as it arrives. */
  update?(chunk: Uint8Array): void;
  /** Reads the whole body, which it owns and can transfer. @throws ServiceError */
  end(raw: Buffer): Promise<ReadBody>;
}

/**
 * Opens a body before its first byte is read, for operations whose body is not parsed as strict JSON on the event loop.
 *
 * @throws ServiceError to reject the request without reading its body
 */
export type OpenBody = (context: BodyContext) => Promise<BodyReading>;

export type BodyReaders = Partial<Record<DomainOperationId, OpenBody>>;
